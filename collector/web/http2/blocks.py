"""Header blocks: HPACK both ways (RFC 7541).

Ours hold literals that are not indexed, so that they are the same bytes at any time and are made once. Those of peers are
read by the library `hpack`, which takes 20 to 80 µs for one; so a block that left the table of the connection as it was is
remembered: until the table changes the same bytes mean the same, and the calls of one exporter send the same bytes.
"""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from hpack import Decoder, HPACKError, OversizedHeaderListError
from hpack.table import HeaderTable

from collector.web.http2.frames import Code, ConnectionFault

TABLE_SIZE = 4096
"""Bytes of a peer's dynamic table: the default, which is not announced (RFC 9113, 6.5.2)."""

NO_TABLE = b"\x20"
"""Says at the beginning of a block that our dynamic table, which we never used, has no bytes (RFC 7541, 4.2)."""

_STATUS_200 = b"\x88"
_REMEMBERED, _LONGEST = 32, 2048
"""Blocks that are remembered for a connection, and the longest of them in bytes: 64 KiB in all."""

Pairs = list[tuple[bytes, bytes]]
Meaning = TypeVar("Meaning")


def encoded(pairs: Iterable[tuple[str, str]]) -> bytes:
    """A block of our own. Names in lower case; values in Latin-1, neither longer than 16 KB or so."""
    return b"".join(
        _STATUS_200 if (name, value) == (":status", "200") else b"\0" + _text(name) + _text(value)
        for name, value in pairs
    )


def _text(text: str) -> bytes:
    """A string without Huffman code (RFC 7541, 5.2)."""
    raw = text.encode("latin-1")
    size, sized = len(raw), bytearray()
    if size < 127:  # noqa: PLR2004 -- seven bits
        return bytes((size,)) + raw
    sized.append(127)
    size -= 127
    while size > 127:  # noqa: PLR2004 -- seven bits
        sized.append(size & 127 | 128)
        size >>= 7
    sized.append(size)
    return bytes(sized) + raw


class _Table(HeaderTable):
    """The dynamic table, which says how often it was changed."""

    def __init__(self) -> None:
        self.changes = 0
        super().__init__()

    def add(self, name: bytes, value: bytes) -> None:
        """One more entry."""
        self.changes += 1
        super().add(name, value)

    @property
    def maxsize(self) -> int:
        """Bytes that it may have."""
        return self._maxsize

    @maxsize.setter
    def maxsize(self, newmax: int) -> None:
        self.changes += 1
        HeaderTable.maxsize.fset(self, newmax)


class BlockReader(Generic[Meaning]):
    """What the blocks of one peer mean. `largest`: bytes of a list (RFC 9113, 6.5.2), beyond which nothing is read."""

    def __init__(self, read: Callable[[Pairs], Meaning], largest: int) -> None:
        self._read = read
        self._decoder = Decoder(max_header_list_size=largest)
        self._decoder.max_allowed_table_size = TABLE_SIZE
        self._decoder.header_table = self._table = _Table()
        self._known: dict[bytes, Meaning] = {}
        self._at = 0

    def read(self, block: bytes) -> Meaning:
        """A whole block. Raises ConnectionFault where it cannot be read: what follows could not be either (RFC 9113, 4.3)."""
        known = self._known.get(block)
        if known is not None:
            return known
        try:
            pairs = self._decoder.decode(block, raw=True)
        except OversizedHeaderListError:
            raise ConnectionFault(Code.ENHANCE_YOUR_CALM, "the head is too large") from None
        except (HPACKError, ValueError, IndexError):
            raise ConnectionFault(Code.COMPRESSION_ERROR, "the head cannot be read") from None
        meaning = self._read(list(pairs))
        if self._table.changes != self._at:
            self._at = self._table.changes
            self._known.clear()
        elif len(block) <= _LONGEST:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[block] = meaning
        return meaning
