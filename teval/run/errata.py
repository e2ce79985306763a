"""The overlay of errata: cases left out of scoring or scored by another gold, each with a reason.

An erratum names the hash of its case's prompt and gold. Where the case reads otherwise, because
the data was mended since or drawn from another seed, the erratum is not for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


class Mended(NamedTuple):
    """Cases with errata applied."""

    cases: list[Case]
    """Those that are scored, in their order."""
    applied: tuple[Erratum, ...]
    warnings: tuple[str, ...]
    """One for each erratum that was for no case."""


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


def mend(cases: Sequence[Case], errata: Sequence[Erratum]) -> Mended:
    """Return the cases that are to be scored, amended ones with their new gold.

    Raises:
        DataError: An erratum's gold is none of its case's ability.
    """
    known = {case.id: case_hash(case) for case in cases}
    applied = {e.case: e for e in errata if known.get(e.case) == e.hash}
    kept = [_amended(c, applied[c.id]) if c.id in applied else c for c in cases]
    return Mended(
        [case for case in kept if case is not None],
        tuple(applied.values()),
        tuple(_warnings(errata, known)),
    )


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
