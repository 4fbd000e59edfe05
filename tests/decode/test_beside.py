"""Notes beside a row."""

import pytest

from collector.decode.beside import Notes, column, merge, pointer, text, warn
from collector.decode.decoded import Rejected


def test_the_order_of_notes_does_not_matter():
    """The column is the same for the same notes."""
    notes = [("/b", "bytes", None), ("/a", "duplicate_key", 1)]
    assert column(notes) == column(reversed(notes))
    assert column([]) is None


def test_pointers_are_escaped_and_bounded():
    """JSON Pointer escapes, and long keys do not multiply (RFC 6901)."""
    assert pointer("/attributes", "a/b~c") == "/attributes/a~1b~0c"
    at = ""
    for _ in range(200):
        at = pointer(at, "k" * 100_000)
    assert len(at) < 3000


def test_text_that_is_not_utf8():
    """U+FFFD, and the bytes as hex (S-11)."""
    notes = Notes()
    assert (text(b"\xff!", "/name", notes), text("as it is", "/name", notes)) == ("�!", "as it is")
    assert notes == [("/name", "invalid_utf8", "ff21")]


def test_merging_keeps_the_last():
    """Earlier values of a key become notes (S-08)."""
    notes = Notes()
    assert merge([("a", 1), ("b", 2), ("a", 3)], "/x", notes) == {"a": 3, "b": 2}
    assert notes == [("/x/a", "duplicate_key", 1)]


def test_only_faults_of_the_sender_warn():
    """Bytes are no fault; duplicate keys are."""
    warnings: dict[str, int] = {}
    warn([("/a", "bytes", None), ("/b", "duplicate_key", 1)], warnings)
    assert warnings == {"duplicate_key": 1}


def test_notes_are_bounded():
    """Beyond a hundred thousand the row is refused."""
    notes = Notes([("", "bytes", None)] * 100_000)
    with pytest.raises(Rejected):
        notes.add("", "bytes", None)
