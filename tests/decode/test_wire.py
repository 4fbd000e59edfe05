"""The protobuf wire format."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.decode.wire import WireError, fields, varint


@given(st.integers(0, 2**64 - 1))
def test_varints(number: int):
    """Numbers of up to 64 bits are read, and the place behind them is told."""
    raw, left = bytearray(), number
    while left > 127:
        raw.append(left & 127 | 128)
        left >>= 7
    raw.append(left)
    assert varint(bytes(raw) + b"x", 0, len(raw) + 1) == (number, len(raw))


@pytest.mark.parametrize(
    "raw",
    [
        b"\x80",
        b"\xff" * 11,
        b"\x0a\x05abc",
        b"\x0b",
        b"\x0c",
        b"\x0b\x13\x14",
        b"\x0b\x0a\x05abc\x0c",
        b"\x0b\x00\x00\x0c",
        b"\x0b" * 5000,
        b"\x00\x00",
        b"\x02\x00",
        b"\x09\x00",
        b"\x0d\x00",
        b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    ],
)
def test_what_is_no_message(raw: bytes):
    """Cut off numbers and texts, groups without their end or too deep, and field 0 are refused."""
    with pytest.raises(WireError):
        list(fields(raw, 0, len(raw)))


def test_fields_of_all_types():
    """Each wire type is told with its place, in order."""
    raw = b"\x08\x05" + b"\x11" + bytes(8) + b"\x1a\x02hi" + b"\x25" + bytes(4)
    assert list(fields(raw, 0, len(raw))) == [(1, 0, 5, 2), (2, 1, 3, 11), (3, 2, 13, 15), (4, 5, 16, 20)]


def test_groups_are_passed_over():
    """A group with fields of all types and another group in it is skipped, whatever number its end has."""
    inner = b"\x08\x05" + b"\x11" + bytes(8) + b"\x1a\x02hi" + b"\x25" + bytes(4) + b"\x73\x74"
    for end in (b"\x0c", b"\x14"):
        raw = b"\x0b" + inner + end + b"\x10\x07"
        assert list(fields(raw, 0, len(raw))) == [(2, 0, 7, len(raw))]
