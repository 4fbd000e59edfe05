"""Content encodings of OTLP/HTTP: none and gzip, inflated in small steps so that a limit holds while reading (H-12, H-13)."""

import zlib
from collections.abc import Callable, Iterator

LARGEST = 64 << 20
"""Bytes of a body, as sent and inflated (C-09; the OTLP specification's default)."""

_STEP = 256 << 10
_RATIO = 100
_RATIO_FROM = 4 << 20
"""Real traces shrink to a tenth; a bomb of zeros to a thousandth."""


class EncodingError(ValueError):
    """The body is not what Content-Encoding says. The text is safe to send."""


class TooLarge(ValueError):  # noqa: N818 -- an outcome, named as one
    """The inflated body passes the limit, or is inflated more than a hundredfold."""


class NoRoom(Exception):  # noqa: N818 -- not a fault
    """The budget has no bytes left for what comes out."""


def names(header: str) -> list[str]:
    """The encodings of a header, without those that change nothing."""
    found = [name.strip().lower() for name in header.split(",")]
    return [name for name in found if name not in {"", "identity", "none"}]


def gunzip(body: bytes, take: Callable[[int], bool], largest: int = LARGEST) -> bytes:
    """The inflated body, of one member or several (RFC 1952, 2.2).

    `take` is asked for each piece's bytes. Raises EncodingError, TooLarge or NoRoom.
    """
    pieces: list[bytes] = []
    total = 0
    for piece in _members(body):
        total += len(piece)
        if total > largest or (total > _RATIO_FROM and total > _RATIO * len(body)):
            raise TooLarge
        if not take(len(piece)):
            raise NoRoom
        pieces.append(piece)
    return b"".join(pieces)


def _members(body: bytes) -> Iterator[bytes]:
    position = 0
    while position < len(body):
        member = zlib.decompressobj(wbits=31)
        while not member.eof:
            if position >= len(body):
                raise EncodingError("the gzip body ends too early")
            data = body[position : position + _STEP]
            position += len(data)
            while data and not member.eof:
                try:
                    piece = member.decompress(data, _STEP)
                except zlib.error:
                    raise EncodingError(
                        "the body is not the gzip that Content-Encoding says, or it is damaged"
                    ) from None
                data = member.unconsumed_tail
                if piece:
                    yield piece
        position -= len(member.unused_data)
