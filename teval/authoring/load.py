"""Family files in: YAML to checked families, with errors that name file and key."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import ValidationError

from teval.assets import folder
from teval.authoring.family import Family
from teval.errors import DataError
from teval.schema import JsonObject
from teval.yaml_text import YamlError, read_yaml

TOOLSETS = "_toolsets.yaml"
"""The file beside the families that gives their common tool lists a name."""


def _read(file: Path) -> JsonObject:
    try:
        content = read_yaml(file.read_bytes())
    except OSError as error:
        raise DataError(f"{file}: can't be read: {error}") from error
    except YamlError as error:
        raise DataError(f"{file}: not YAML: {error}") from error
    if not isinstance(content, dict):
        raise DataError(f"{file}: expected a mapping of keys, got {type(content).__name__}")
    return content


def load_family(file: Path) -> Family:
    """Return the family in a YAML file.

    Where ``tools`` is a name and no list, it stands for the list of that name in the file
    ``_toolsets.yaml`` of the same folder.

    Raises:
        DataError: The file can't be read, has an unknown or missing key, a wrong value, or a
            template that reads something not known at its place.
    """
    content = _read(file)
    tools = content.get("tools")
    if isinstance(tools, str):
        toolsets = _read(file.with_name(TOOLSETS))
        if tools not in toolsets:
            known = ", ".join(sorted(toolsets))
            raise DataError(f"{file}: tools: no list {tools!r} in {TOOLSETS}; it has {known}")
        content["tools"] = toolsets[tools]
    try:
        return Family.model_validate_json(json.dumps(content), strict=True)
    except ValidationError as error:
        raise DataError(f"{file}: {_first(error)}") from error


def load_families(place: Path | None = None) -> tuple[Family, ...]:
    """Return all families of a folder, sorted by file name.

    Args:
        place: A folder of YAML files; ``families`` in the data folder where None.

    Raises:
        DataError: A file is not a family, an id is used twice, or there is no file.
    """
    place = place or folder("data") / "families"
    files = sorted(f for f in place.glob("*.yaml") if not f.name.startswith("_"))
    families = tuple(load_family(file) for file in files)
    ids: dict[str, Path] = {}
    for file, family in zip(files, families, strict=True):
        if family.id in ids:
            raise DataError(f"{file}: id: {family.id!r} is also the id of {ids[family.id]}")
        ids[family.id] = file
    if not families:
        raise DataError(f"{place}: no family files (*.yaml)")
    return families


def _first(error: ValidationError) -> str:
    found = error.errors()[0]
    key = ".".join(str(part) for part in found["loc"])
    message = found["msg"].removeprefix("Value error, ")
    return f"{key}: {message}" if key else message
