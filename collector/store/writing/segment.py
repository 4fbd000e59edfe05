"""One file of the spool: requests that were answered and are not committed yet.

It begins with a magic and the store's id. Each record is a table of rows with its kind, its length and a checksum; behind the
last one stand zeros, and then whatever was there before: a file that was emptied keeps its room, since to give it back and take
it anew costs more than to write (0.6 of 1.6 µs a span).
"""

import logging
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import pyarrow as pa

from collector.decode.decoded import Decoded
from collector.store.file.disk import durable, flush, write_at
from collector.store.packing import stream, unpack

_log = logging.getLogger(__name__)

_MAGIC = b"TGS1"
_HEAD = struct.Struct("<4s32s")
_RECORD = struct.Struct("<BQI")
_END = bytes(_RECORD.size)
_ANYBODY = b"\0" * 32
"""In place of an id: whatever store is opened next takes the rows."""

Kind = Literal["spans", "logs"]
_KINDS: tuple[Kind, ...] = ("spans", "logs")


class Kept(NamedTuple):
    """Rows of a record; `columns` are those that arrive (see `Committer.schemas`)."""

    kind: Kind
    rows: pa.Table

    def decoded(self) -> Decoded:
        """As they came."""
        columns = [self.rows[name].to_pylist() for name in ("trace_id", "span_id")] if self.kind == "spans" else []
        keys = [bytes.fromhex(trace + span) for trace, span in zip(*columns, strict=True)]
        return Decoded(self.kind, {}, self.rows.num_rows, self.rows.nbytes, keys, table=self.rows)


class Contents(NamedTuple):
    """What a segment holds: its store's id (None: any store's, or no segment), and whole records."""

    store_id: str | None
    records: list[Kept]
    end: int
    """Where the last whole record ends."""
    unreadable: int
    """Bytes behind it."""


KEPT = 64 << 20
"""Bytes of a file that is emptied without giving its room back."""


class Segment:
    """The file at `path` while the store of this id is open. Not locked."""

    def __init__(self, path: Path, store_id: str) -> None:
        self.path = path
        self._head = _HEAD.pack(_MAGIC, store_id.encode("ascii"))
        self._file: int | None = None
        self.size = 0
        """Bytes up to the end of its last record."""

    @property
    def used(self) -> bool:
        """Whether there may be records in it."""
        return self.size > _HEAD.size

    def resume(self, size: int) -> None:
        """Go on behind so many bytes of what an earlier process left: the others are dropped, and all of them without this."""
        if self.path.exists():
            os.truncate(self.path, size)
        self.size = size

    def add(self, records: list[Kept]) -> None:
        """Keep these: they are on the disk when this returns. Raises OSError, and nothing is kept then.

        The first one's head is written last, where zeros stood until then: a kill in between leaves what was there before.
        """
        file, end = self._opened()
        heads: list[tuple[bytes, int]] = []
        try:
            for record in records:
                body = memoryview(stream(record.rows))
                heads.append((_RECORD.pack(_KINDS.index(record.kind), len(body), zlib.crc32(body)), end))
                write_at(file, body, end + _RECORD.size)
                end += _RECORD.size + len(body)
            write_at(file, _END, end)
            for head, at in reversed(heads):
                write_at(file, head, at)
            flush(file)
        except OSError:
            os.ftruncate(file, self.size)
            raise
        self.size = end

    def clear(self) -> None:
        """All of it is committed."""
        file, end = self._opened()
        if end > KEPT:
            os.ftruncate(file, _HEAD.size)
        else:
            write_at(file, _END, _HEAD.size)
        self.size = _HEAD.size

    def forget(self) -> None:
        """Return when nothing but its records is on the disk any more."""
        if self._file is not None:
            os.ftruncate(self._file, self.size)
            flush(self._file)

    def close(self) -> None:
        """Close the file, and remove it where nothing waits in it. A second call does nothing."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
            if not self.used:
                self.path.unlink(missing_ok=True)

    def _opened(self) -> tuple[int, int]:
        """The file, which is the one at its path, and where its records end."""
        if self._file is not None and not _is_at(self.path, self._file):
            _log.error("%s was removed or replaced while it was open; another is begun.", self.path)
            os.close(self._file)
            self._file, self.size = None, 0
        if self._file is None:
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
            self._file = os.open(self.path, flags, 0o600)
            os.ftruncate(self._file, self.size)
            self.size = max(self.size, _HEAD.size)
            write_at(self._file, self._head, 0)
            durable(self.path.parent)
        return self._file, self.size


def read(path: Path) -> Contents:
    """What waits in the segment at this path, which may be open or not."""
    try:
        data = path.read_bytes()
    except OSError:
        return Contents(None, [], 0, 0)
    if len(data) < _HEAD.size or not data.startswith(_MAGIC):
        return Contents(None, [], 0, len(data))
    store_id = data[len(_MAGIC) : _HEAD.size]
    records: list[Kept] = []
    at = _HEAD.size
    for end, record in _records(data):
        records.append(record)
        at = end
    whole = not any(data[at : at + _RECORD.size])
    known = None if store_id == _ANYBODY else store_id.decode("ascii", "replace")
    return Contents(known, records, at, 0 if whole else len(data) - at)


def give_away(path: Path) -> None:
    """Let whatever store is made there next take what waits: the one that it was for is lost."""
    if path.exists():
        with path.open("rb+") as file:
            file.seek(len(_MAGIC))
            file.write(_ANYBODY)


def _is_at(path: Path, file: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except FileNotFoundError:
        return False


def _records(data: bytes) -> Iterator[tuple[int, Kept]]:
    """Each whole record with the place where it ends; the first that is not whole ends it."""
    at = _HEAD.size
    while at + _RECORD.size <= len(data):
        kind, length, checksum = _RECORD.unpack_from(data, at)
        begin, at = at + _RECORD.size, at + _RECORD.size + length
        body = memoryview(data)[begin:at]
        if not length or len(body) < length or kind >= len(_KINDS) or zlib.crc32(body) != checksum:
            return
        yield at, Kept(_KINDS[kind], unpack(body))
