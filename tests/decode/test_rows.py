"""What spans and logs have in common."""

import pytest

from collector.decode.decoded import DecodeError
from collector.decode.rows import LARGEST, content_hash, timestamps, too_large
from tests.decode.test_spans import group


def test_times_that_fit():
    """0 and what lies after 2262 have no timestamp (S-04)."""
    assert timestamps([0, 1, 2**63 - 1, 2**63, 2**64 - 1]) == [None, 1, 2**63 - 1, None, None]


def test_the_hash_covers_the_group_and_every_text():
    """Another resource, other facts, other notes: another hash."""
    one = content_hash(group(a=1), b"[1]", None, b"{}")
    others = [
        content_hash(group(a=2), b"[1]", None, b"{}"),
        content_hash(group(a=1), b"[2]", None, b"{}"),
        content_hash(group(a=1), b"[1]", "[]", b"{}"),
        content_hash(group(a=1), b"[1]", None, b'{"a":1}'),
    ]
    assert len({one, *others}) == 5
    assert len(one) == 32


def test_what_is_too_large_is_said_in_mebibytes():
    """The message has the limit."""
    with pytest.raises(DecodeError, match=f"{LARGEST >> 20} MiB"):
        raise too_large()
