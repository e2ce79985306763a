"""YAML as JSON values: dates stay text, and no key is given twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from teval.schema import Json

if TYPE_CHECKING:
    from yaml import SafeLoader as _SafeLoader
else:
    _SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlError(ValueError):
    """A text is not YAML; the message is one line and says where."""


class _Loader(_SafeLoader):
    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in pairs if not tag.endswith(":timestamp")]
        for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
        keys = [key.value for key, _ in node.value]
        twice = sorted({k for k in keys if isinstance(k, str) and keys.count(k) > 1})
        if twice:
            raise yaml.constructor.ConstructorError(
                None, None, f"key {twice[0]!r} given twice", node.start_mark
            )
        mapping: dict[object, object] = super().construct_mapping(node, deep)
        return mapping


def read_yaml(text: str | bytes) -> Json:
    """Return what a YAML text holds.

    Args:
        text: The text, or its bytes in UTF-8.

    Raises:
        YamlError: It is no YAML in UTF-8, or has a key twice.

    >>> read_yaml("day: 2031-05-04")
    {'day': '2031-05-04'}
    """
    try:
        given = text.decode("utf-8") if isinstance(text, bytes) else text
        value: Json = yaml.load(given, _Loader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise YamlError(" ".join(str(error).split())) from error
    return value
