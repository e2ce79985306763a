"""Records on disk: read one after the other or one at a time, never all of them at once."""

from __future__ import annotations

import hashlib
import json
import logging
import tempfile
import weakref
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, Generic, TypeVar, cast

from pydantic import ValidationError

from teval.errors import DataError
from teval.schema import Frozen, JsonObject, canonical

_Record = TypeVar("_Record", bound=Frozen)
_log = logging.getLogger(__name__)


class RecordFile(Generic[_Record]):
    """Records in a file, one a line, that may be read any number of times.

    Args:
        file: An open file; it is closed with this object.
        name: What the file is called in messages.
        model: What each line is.
        torn: Whether the last line may have been cut off by a kill; it is left out then.
    """

    def __init__(
        self, file: BinaryIO, name: str, model: type[_Record], *, torn: bool = False
    ) -> None:
        self._file = file
        self._name = name
        self._model = model
        self._torn = torn
        # Not left to __del__: in a reference cycle the open file might be found before it.
        weakref.finalize(self, file.close)

    def __iter__(self) -> Iterator[_Record]:
        """Yield the records in their order."""
        return (record for _, record in self.placed())

    def placed(self) -> Iterator[tuple[int, _Record]]:
        """Yield each record with its place, for :meth:`at`.

        Raises:
            DataError: A line is no such record.
        """
        place = 0
        for number, line in enumerate(self.lines(), start=1):
            if self._torn and not line.endswith(b"\n") and not self._reads(line):
                _log.warning("%s: left out the last line, it was cut off", self._name)
                return
            if line.strip():
                yield place, self._read(line, str(number))
            place += len(line)

    def at(self, place: int) -> _Record:
        """Return the record that stands at a place."""
        self._file.seek(place)
        return self._read(self._file.readline(), f"byte {place}")

    def lines(self) -> Iterator[bytes]:
        """Yield the lines as they are; others may be read in between."""
        place = 0
        while True:
            self._file.seek(place)
            line = self._file.readline()
            if not line:
                return
            place += len(line)
            yield line

    def _reads(self, line: bytes) -> bool:
        try:
            self._model.model_validate_json(line)
        except ValidationError:
            return False
        return True

    def _read(self, line: bytes, where: str) -> _Record:
        try:
            return self._model.model_validate_json(line)
        except ValidationError as error:
            raise DataError(f"{self._name}:{where}: {fault_of(error)}") from error


class Spooled(RecordFile[_Record]):
    """Records that were made one by one and laid aside in a temporary file.

    Args:
        records: The records; they are all taken at once.
        model: What each is.
        unhashed: Fields that the digests leave out.
        kind: Which digest a record counts towards.
    """

    def __init__(
        self,
        records: Iterable[_Record],
        model: type[_Record],
        *,
        unhashed: Collection[str] = (),
        kind: Callable[[_Record], str] = lambda _: "",
    ) -> None:
        file = cast(BinaryIO, tempfile.TemporaryFile(prefix="teval-"))  # noqa: SIM115
        super().__init__(file, "temporary file", model)
        self._number = 0
        hashed: defaultdict[str, ListDigest] = defaultdict(ListDigest)
        for record in records:
            told = record.model_dump(mode="json")
            with needing_room():
                file.write(_as_it_is(told))
            kept = {name: value for name, value in told.items() if name not in unhashed}
            hashed[kind(record)].add(kept)
            self._number += 1
        with needing_room():
            file.flush()
        self.digests = {name: one.digest for name, one in hashed.items()}
        """Digest of the list of all records of a kind, without the fields that are left out."""

    def __len__(self) -> int:
        """Return how many records there are."""
        return self._number


def _as_it_is(told: JsonObject) -> bytes:
    """A line with all names in their order: models are shown tools and schemas in that order."""
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass") + b"\n"


@contextmanager
def needing_room() -> Iterator[None]:
    """Tell in one line where a temporary file finds no room.

    Raises:
        DataError: It could not be written.
    """
    try:
        yield
    except OSError as error:
        raise DataError(
            f"a temporary file can't be written ({error.strerror}); set TMPDIR to a folder with "
            "more room"
        ) from error


class ListDigest:
    """What :func:`teval.schema.digest` gives for a list whose members come one by one."""

    def __init__(self) -> None:
        """Begin with the empty list."""
        self._hash = hashlib.sha256(b"[")
        self._comma = b""

    def add(self, value: object) -> None:
        """Add a member."""
        text = canonical(value).encode("utf-8", "surrogatepass")
        self._hash.update(self._comma + text)
        self._comma = b","

    @property
    def digest(self) -> str:
        """The digest of the list as it is by now."""
        whole = self._hash.copy()
        whole.update(b"]")
        return whole.hexdigest()[:16]


def fault_of(error: ValidationError) -> str:
    """Return the first thing that is wrong with a record, with its place in there."""
    fault = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in fault["loc"])
    return f"{place}: {fault['msg']}" if place else fault["msg"]
