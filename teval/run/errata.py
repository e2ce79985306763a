"""The overlay of errata: cases left out of scoring or scored by another gold, each with a reason.

An erratum names the hash of its case's prompt and gold. Where the case reads otherwise, because
the data was mended since or drawn from another seed, the erratum is not for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from teval import assets
from teval.abilities import ABILITIES
from teval.errors import DataError
from teval.schema import Case, Erratum, Frozen, digest
from teval.yaml_text import YamlError, read_yaml

SHIPPED = "shipped"
"""Stands for the file that ships."""


class _File(Frozen):
    """A file of errata."""

    errata: tuple[Erratum, ...]


class Overlay(NamedTuple):
    """The errata that are for some cases."""

    applied: tuple[Erratum, ...] = ()
    warnings: tuple[str, ...] = ()
    """One for each erratum that was for no case."""
    mended: Mapping[str, Case | None] = {}
    """The cases that are scored otherwise, by id; None for those that are not scored."""

    def mend(self, cases: Iterable[Case]) -> Iterator[Case]:
        """Yield the cases that are to be scored, amended ones with their new gold."""
        for case in cases:
            found = self.mended.get(case.id, case)
            if found is not None:
                yield found


def read_errata(place: str | None) -> tuple[Erratum, ...]:
    """Return the errata of a file.

    Args:
        place: ``shipped`` for the file that ships, a YAML file, or nothing for none.

    Raises:
        DataError: There is no such file, an entry is broken, or two are about one case.
    """
    if not place:
        return ()
    file = assets.find("data", "errata.yaml") if place == SHIPPED else Path(place).expanduser()
    try:
        found = _File.model_validate(read_yaml(file.read_bytes())).errata
    except OSError as error:
        raise DataError(
            f"{file}: can't be read: {error.strerror}; -s data.errata= takes none"
        ) from error
    except ValidationError as error:
        raise DataError(f"{file}: {_fault(error)}") from error
    except YamlError as error:
        raise DataError(f"{file}: not readable as YAML: {error}") from error
    seen: set[str] = set()
    for entry in found:
        if entry.case in seen:
            raise DataError(f"{file}: two errata are about case {entry.case!r}; keep one")
        seen.add(entry.case)
    return found


def case_hash(case: Case) -> str:
    """Return what an erratum knows a case by: the digest of its prompt and gold."""
    return digest([case.prompt, case.gold])


def overlay(cases: Iterable[Case], errata: Sequence[Erratum]) -> Overlay:
    """Return those of the errata that are for these cases, and what they make of them.

    Raises:
        DataError: An erratum's gold is none of its case's ability.
    """
    named = {erratum.case for erratum in errata}
    told = {case.id: case for case in cases if case.id in named} if named else {}
    known = {name: case_hash(case) for name, case in told.items()}
    applied = tuple(e for e in errata if known.get(e.case) == e.hash)
    mended = {e.case: _amended(told[e.case], e) for e in applied}
    return Overlay(applied, tuple(_warnings(errata, known)), mended)


def _amended(case: Case, entry: Erratum) -> Case | None:
    """The case with its new gold; None where it is excluded."""
    if entry.action == "exclude":
        return None
    try:
        gold = ABILITIES[case.ability].gold.model_validate({**case.gold, **entry.gold})
    except ValidationError as error:
        raise DataError(f"errata: gold of case {case.id!r}: {_fault(error)}") from error
    dumped = gold.model_dump(mode="json", exclude_defaults=True)
    return case.model_copy(update={"gold": dumped})


def _warnings(errata: Sequence[Erratum], known: dict[str, str]) -> Iterator[str]:
    for entry in errata:
        if entry.case not in known:
            yield f"the erratum for case {entry.case!r} was ignored: this run has no such case"
        elif known[entry.case] != entry.hash:
            yield (
                f"the erratum for case {entry.case!r} was ignored: it is for hash {entry.hash}, "
                f"but the case's is {known[entry.case]}"
            )


def _fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in fault["loc"])
    return f"{place}: {fault['msg']}" if place else fault["msg"]
