"""The mutable state of a world: tables of frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypeVar

from teval.schema import Frozen, JsonObject, digest
from teval.world.setting import Setting


class Record(Frozen):
    """One entity of the state. A write puts a changed copy in its place."""

    table: ClassVar[str]
    """Name of its table in :meth:`State.dump`."""
    id: str


R = TypeVar("R", bound=Record)
Snapshot = Mapping[str, Mapping[str, Record]]


class State:
    """All records of a world, by table and id, in the order in which they were first put."""

    def __init__(self) -> None:
        self._tables: dict[str, dict[str, Record]] = {}

    def put(self, record: Record) -> None:
        """Store a record, in place of the one with the same id if there is one."""
        self._tables.setdefault(record.table, {})[record.id] = record

    def get(self, kind: type[R], key: str) -> R | None:
        """Return the record of that kind and id, or None."""
        found = self._tables.get(kind.table, {}).get(key)
        return found if isinstance(found, kind) else None

    def all(self, kind: type[R]) -> list[R]:
        """Return all records of a kind."""
        return [r for r in self._tables.get(kind.table, {}).values() if isinstance(r, kind)]

    def add(self, record: R, setting: Setting, prefix: str) -> R:
        """Return a new record as stored: under an id that begins with the prefix."""
        content = record.model_dump(mode="json", exclude={"id"})
        taken = self._tables.get(record.table, {})
        stored = record.model_copy(update={"id": setting.id_of(prefix, content, taken)})
        self.put(stored)
        return stored

    def snapshot(self) -> Snapshot:
        """Return a copy to go back to; cheap, since records can't change."""
        return {name: dict(table) for name, table in self._tables.items()}

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        self._tables = {name: dict(table) for name, table in snapshot.items()}

    def dump(self) -> JsonObject:
        """Return all tables as JSON: table name to list of records."""
        return {
            name: [r.model_dump(mode="json") for r in table.values()]
            for name, table in self._tables.items()
        }

    def hash(self) -> str:
        """Return the SHA-256 of all records, whatever the order in which they were put."""
        ordered = {
            name: [table[key].model_dump(mode="json") for key in sorted(table)]
            for name, table in self._tables.items()
        }
        return digest(ordered, 64)
