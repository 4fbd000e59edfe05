"""What was answered before it is committed: a file beside the store that keeps such requests until the database has them.

While the database is held up (a checkpoint, a large append) requests would wait for it: at 5,000 spans/s the p99 of an answer
was 105 to 231 ms after five minutes, and grew with the file. So they are written here, flushed to the disk and answered. The
database gets them next, and the file is emptied. What a killed process left here is the first that the next one commits; what
was committed all the same is found to be there (`identity`), so that nothing is stored twice.

The file begins with a magic and the store's id. Each record is a table of rows with its kind, its length and a checksum.
"""

import logging
import os
import struct
import threading
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import pyarrow as pa

from collector.decode.decoded import Decoded
from collector.private_files import distrust
from collector.store.errors import BadAppend, NotAStore
from collector.store.file.disk import durable, flush, write_at
from collector.store.file.names import SPOOL, beside
from collector.store.file.quarantine import keep, quarantine
from collector.store.packing import pack, unpack
from collector.store.writing.inserting import fitted

_log = logging.getLogger(__name__)

_MAGIC = b"TGS1"
_HEAD = struct.Struct("<4s32s")
_RECORD = struct.Struct("<BQI")
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
    """What a spool holds: its store's id (None: any store's, or no spool), and whole records."""

    store_id: str | None
    records: list[Kept]
    end: int
    """Where the last whole record ends."""
    unreadable: int
    """Bytes behind it."""

    def rows(self, kind: Kind) -> int:
        """How many rows of a kind wait."""
        return sum(record.rows.num_rows for record in self.records if record.kind == kind)


class Spool:
    """The spool of one open store. Safe to use from several threads."""

    def __init__(self, store: str | Path, store_id: str) -> None:
        self.path = beside(store, SPOOL)
        self._store, self._head = Path(store), _HEAD.pack(_MAGIC, store_id.encode("ascii"))
        self._file: int | None = None
        self._end = 0
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._end

    @property
    def used(self) -> bool:
        """Whether there may be records in it."""
        return self._end > _HEAD.size

    def left(self, schemas: Mapping[str, pa.Schema]) -> list[Kept]:
        """What an earlier process left here, as rows of these schemas. What cannot be read or stored is set aside, and told.

        Raises NotAStore for a file that others of this machine could have made: its rows would pass for answered ones (X-33).
        """
        if wrong := distrust(self.path):
            raise NotAStore(f"{self.path} {wrong}")
        found = read(self._store)
        foreign = found.store_id not in (None, self._head[len(_MAGIC) :].decode("ascii"))
        kept: list[Kept] = []
        misfit = 0
        for record in () if foreign else found.records:
            try:
                kept.append(Kept(record.kind, fitted(record.rows, schemas[record.kind], record.kind)))
            except (BadAppend, pa.ArrowException):
                misfit += record.rows.num_rows
        if foreign or misfit or found.unreadable:
            why = "are another store's" if foreign else f"cannot be read ({found.unreadable:,} bytes, {misfit:,} rows)"
            _log.error("Requests in %s %s: they are kept in %s", self.path, why, self._set_aside())
            os.truncate(self.path, 0 if foreign else found.end)
        self._end = 0 if foreign else found.end
        return kept

    def add(self, records: list[Kept]) -> None:
        """Keep these: they are on the disk when this returns. Raises OSError, and nothing is kept then."""
        data = b"".join(map(_packed, records))
        with self._lock:
            file, end = self._opened()
            try:
                write_at(file, data, end)
                flush(file)
            except OSError:
                os.ftruncate(file, end)
                raise
            self._end = end + len(data)

    def clear(self) -> None:
        """All of it is committed."""
        with self._lock:
            file, _ = self._opened()
            os.ftruncate(file, _HEAD.size)
            self._end = _HEAD.size

    def flush(self) -> None:
        """Return when what was cleared is gone from the disk."""
        with self._lock:
            if self._file is not None:
                flush(self._file)

    def close(self) -> None:
        """Close the file, and remove it where nothing waits in it. A second call does nothing."""
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None
                if self._end == _HEAD.size:
                    self.path.unlink(missing_ok=True)

    def _opened(self) -> tuple[int, int]:
        """The file, which is the one at its path, and where its records end."""
        if self._file is not None and not _is_at(self.path, self._file):
            _log.error("%s was removed or replaced while it was open; another is begun.", self.path)
            os.close(self._file)
            self._file = None
        if self._file is None:
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
            self._file = os.open(self.path, flags, 0o600)
            self._end = max(os.fstat(self._file).st_size, _HEAD.size)
            write_at(self._file, self._head, 0)
            durable(self.path.parent)
        return self._file, self._end

    def _set_aside(self) -> Path:
        folder = quarantine(self._store)
        folder.mkdir(parents=True, mode=0o700)
        return keep(self.path, folder).parent


def read(store: str | Path) -> Contents:
    """What waits in the spool of this store, which may be open or not."""
    try:
        data = beside(store, SPOOL).read_bytes()
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
    known = None if store_id == _ANYBODY else store_id.decode("ascii", "replace")
    return Contents(known, records, at, len(data) - at)


def give_away(store: str | Path) -> None:
    """Let whatever store is made at this path next take what waits: the one that it was for is lost."""
    path = beside(store, SPOOL)
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
        if len(body) < length or kind >= len(_KINDS) or zlib.crc32(body) != checksum:
            return
        yield at, Kept(_KINDS[kind], unpack(body))


def _packed(record: Kept) -> bytes:
    body = pack(record.rows)
    return _RECORD.pack(_KINDS.index(record.kind), len(body), zlib.crc32(body)) + body
