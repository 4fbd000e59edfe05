"""Rows of one request on their way into columns: what spans and logs have in common."""

from itertools import chain, repeat
from typing import Any, Literal

from collector.decode.beside import Notes, column, warn
from collector.decode.content import digest
from collector.decode.decoded import Decoded, DecodeError, Rejected, count
from collector.decode.group import GROUP_COLUMNS, Group

LATEST = 2**63 - 1
"""The last nanosecond (in 2262) that TIMESTAMP_NS holds."""

LARGEST = 512 << 20
"""Bytes of text that one request may become. A resource is repeated in each of its rows, so that a small body could
otherwise ask for any amount of memory."""


class Rows:
    """Gathers rows, group by group; `_finish` turns them into columns."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        """What the readers noted about the row at hand; each row takes them and leaves the list empty."""
        self.rejected: dict[str, int] = {}
        self.warnings: dict[str, int] = {}
        self._groups: list[tuple[Group, int]] = []
        self._group: Group | None = None
        self._rows: list[tuple[Any, ...]] = []
        self._size = 0

    def open(self, group: Group) -> None:
        """Rows that follow belong to this group."""
        self._close()
        self._group = group
        self._from = len(self._rows)
        warn(group.notes, self.warnings)

    def reject(self, reason: Rejected) -> None:
        """The row at hand is refused; its neighbours stay (C-07)."""
        self.notes.clear()
        count(self.rejected, reason.code)

    def _close(self) -> None:
        if self._group is not None:
            self._groups.append((self._group, len(self._rows) - self._from))

    def _take_notes(self, group: Group) -> str | None:
        if not self.notes:
            return column(group.notes)
        warn(self.notes, self.warnings)
        beside = column([*group.notes, *self.notes])
        self.notes.clear()
        return beside

    def _grow(self, size: int) -> None:
        self._size += size
        if self._size > LARGEST:
            raise too_large()

    def _finish(self, kind: Literal["spans", "logs"], names: tuple[str, ...]) -> Decoded:
        """Columns of the rows and of their groups."""
        self._close()
        columns: dict[str, list[Any]] = {}
        transposed = zip(*self._rows, strict=True) if self._rows else repeat(())
        for name, values in zip(names, transposed, strict=False):
            columns[name] = list(values)
        for place, name in enumerate(GROUP_COLUMNS):
            columns[name] = list(chain.from_iterable([group.values[place]] * rows for group, rows in self._groups))
        return Decoded(kind, columns, len(self._rows), self._size, rejected=self.rejected, warnings=self.warnings)


def too_large() -> DecodeError:
    """What a request deserves that would take all memory."""
    return DecodeError("the request unfolds to more than 512 MiB of text; send fewer rows in a request")


def content_hash(group: Group, facts: bytes, beside: str | None, *texts: bytes) -> str:
    """32 hex digits over everything delivered.

    After the group's 16 bytes each part is one JSON text, so that joined parts cannot be confused.
    """
    delivered = (group.digest, facts, *texts, beside.encode()) if beside else (group.digest, facts, *texts)
    return digest(b"\n".join(delivered)).hex()


def timestamps(nanoseconds: list[int]) -> list[int | None]:
    """Times for TIMESTAMP_NS: null where none was sent (0) and where it does not fit; the raw number has a column."""
    return [value if 0 < value <= LATEST else None for value in nanoseconds]
