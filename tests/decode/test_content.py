"""Content hashes are half of SHA-256."""

from hashlib import sha256

from collector.decode.content import SIZE, digest


def test_a_text_has_its_hash():
    """The first 16 bytes, which differ with any byte of the text."""
    assert digest(b"one") == sha256(b"one").digest()[:16]
    assert len(digest(b"")) == SIZE
    assert digest(b"one") != digest(b"One")
