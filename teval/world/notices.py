"""Notices that stand beside an answer: what failed in it, which values were not taken.

Most of them are of no matter: the part that failed is none that anybody asks for, the value that
was refused is one that the account had saved. They are worded like those that are of matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from teval.schema import Json, JsonObject
from teval.world.faults import WORDINGS, failure
from teval.world.values import size

NOTICES = "notices"
"""Key of the notices in an answer."""
MOST_BYTES = 1450
"""Longest answer, in canonical JSON, that a notice of no matter is added to."""
TWICE = 0.4
"""How often there are two notices of a kind, failures and refusals, instead of one."""

ASIDES = (
    "adverts",
    "animation",
    "audio",
    "avatar",
    "background",
    "badges",
    "booking hints",
    "bookmark bar",
    "captions",
    "chat widget",
    "city emblem",
    "city postcard",
    "colour theme",
    "cover picture",
    "date picker",
    "document icon",
    "email badge",
    "email footer",
    "emoji",
    "feedback form",
    "film poster",
    "film trailer",
    "font",
    "footnotes",
    "gallery",
    "greeting",
    "help text",
    "hotel pictures",
    "icons",
    "label colours",
    "layout",
    "logo",
    "map style",
    "map tiles",
    "menu bar",
    "name badge",
    "name pronunciation",
    "news ticker",
    "opening banner",
    "order confetti",
    "paper cover",
    "phone widget",
    "place photo",
    "poll",
    "preview",
    "price alerts",
    "print view",
    "printable copy",
    "QR code",
    "quiz",
    "rating survey",
    "reading time",
    "recent searches",
    "related searches",
    "room photo",
    "share link",
    "shortcuts",
    "side notes",
    "sidebar",
    "signature",
    "sound clip",
    "sponsor",
    "street view",
    "survey",
    "symbol font",
    "tag cloud",
    "text colour",
    "text size",
    "thumbnail",
    "time bar",
    "tips",
    "title font",
    "title picture",
    "toolbar",
    "total visitors",
    "tour",
    "translation",
    "usage statistics",
    "video",
    "visitor counter",
    "year in review",
)
"""Parts of a page or an app that no thought needs and no answer has."""


def with_notices(
    content: JsonObject,
    rng: Random,
    saved: Iterator[str],
    failures: Sequence[str] = (),
    refusals: Sequence[str] = (),
) -> JsonObject:
    """Return an answer with notices: those of matter, and others beside them.

    There are one or two of each kind, whatever is of matter, in any order.

    Args:
        content: The answer.
        rng: Where chance comes from.
        saved: Refusals of no matter.
        failures: Notices of failures that are of matter.
        refusals: Notices of refusals that are of matter.
    """
    told = [*failures, *refusals]
    parts = iter(rng.sample(ASIDES, 2))
    kinds = sorted(WORDINGS)
    aside = (failure(part, rng.choice(kinds), rng) for part in parts)
    for more, have in ((aside, failures), (saved, refusals)):
        wanted = 1 + (rng.random() < TWICE)
        for notice in islice(more, max(0, wanted - len(have))):
            if size({**content, NOTICES: [*told, notice]}) <= MOST_BYTES:
                told.append(notice)
    rng.shuffle(told)
    notices: list[Json] = [*told]
    return {**content, NOTICES: notices}
