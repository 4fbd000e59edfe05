"""AnyValue in protobuf."""

import base64
import math
import struct
from typing import Any

import orjson
import pytest
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue

from collector.decode.beside import Notes
from collector.decode.decoded import DecodeError, Rejected
from collector.decode.from_protobuf import traces_protobuf
from collector.decode.protobuf_values import Attributes, body
from tests.decode.samples import SPAN, TRACE, VALUES, any_value, pairs


def read(*messages: Message) -> tuple[dict[str, Any], Notes]:
    """The attributes and the notes."""
    notes = Notes()
    return Attributes(notes).read([message.SerializeToString() for message in messages], "/attributes"), notes


def expected(value: Any) -> Any:
    """What a value becomes, told independently of the wire."""
    match value:
        case bytes():
            return base64.b64encode(value).decode()
        case float() if not math.isfinite(value):
            return "NaN" if math.isnan(value) else f"{'-' if value < 0 else ''}Infinity"
        case list():
            return [expected(member) for member in value]
        case dict():
            return {key: expected(member) for key, member in value.items()}
    return value


@given(st.text(max_size=200), VALUES)
def test_values_keep_their_kind(key: str, value: Any):
    """Every kind of value, nested or not, is read as it was meant (S-09)."""
    found, _ = read(*pairs({key: value}))
    assert orjson.dumps(found) == orjson.dumps({key: expected(value)})


@pytest.mark.parametrize(
    "value", [0, 1, 127, 128, 16383, 16384, -1, 2**63 - 1, -(2**63), 0.0, -0.0, 5e-324, True, False]
)
def test_numbers_are_exact(value: Any):
    """Integers, doubles and booleans stay what they are (S-09)."""
    found, notes = read(*pairs({"k": value}))
    assert repr(found) == repr({"k": value})
    assert not notes


@pytest.mark.parametrize("size", [0, 1, 100, 125, 126, 127, 128, 129, 16380, 16383, 16384, 20000, 2_097_152, 3_000_000])
def test_texts_of_any_length(size: int):
    """Each length of the length itself is read (S-13)."""
    assert read(*pairs({"k": "x" * size}))[0] == {"k": "x" * size}


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(raw: bytes):
    """No bytes raise anything but Rejected; what protobuf reads is read alike."""
    notes = Notes()
    try:
        found = Attributes(notes).read([raw], "")
    except Rejected:
        return
    assert len(found) == 1


def test_missing_values_are_null():
    """A pair without a value and an empty value are null (T-04, T-20, T-21)."""
    assert read(KeyValue(key="a"), KeyValue(key="b", value=AnyValue()))[0] == {"a": None, "b": None}
    assert read(*pairs({"l": [1, 2, None]}))[0] == {"l": [1, 2, None]}


def test_what_json_lacks_is_noted():
    """Bytes and doubles that are not finite are texts, told apart by a note (S-09)."""
    found, notes = read(*pairs({"b": b"\xff", "n": math.nan, "l": [math.inf]}))
    assert found == {"b": "/w==", "n": "NaN", "l": ["Infinity"]}
    assert sorted(notes) == [
        ("/attributes/b", "bytes", None),
        ("/attributes/l/0", "not_finite", None),
        ("/attributes/n", "not_finite", None),
    ]


def test_duplicate_keys_within_an_object():
    """The last value counts at every depth (S-08)."""
    value = AnyValue()
    value.kvlist_value.values.extend([*pairs({"k": 1}), *pairs({"k": 2})])
    found, notes = read(KeyValue(key="o", value=value))
    assert found == {"o": {"k": 2}}
    assert notes == [("/attributes/o/k", "duplicate_key", 1)]


def test_of_what_is_set_several_times_the_last_counts():
    """Of a key and of a value only the last is read, and nothing is noted of the others."""
    value = b"\x0a\x01\xff" + b"\x3a\x01x" + b"\x21" + struct.pack("<d", math.nan) + b"\x0a\x01y"
    notes = Notes()
    assert Attributes(notes).read([b"\x0a\x01\xff\x0a\x01k\x12" + bytes([len(value)]) + value], "/a") == {"k": "y"}
    assert notes == []


def nested(levels: int) -> bytes:
    """A pair whose value is a list in a list and so on; protobuf's own classes refuse to write this deep."""
    raw = b""
    for _ in range(levels):
        inner = b"\x0a" + _length(raw) + raw
        raw = b"\x2a" + _length(inner) + inner
    return b"\x0a\x01k\x12" + _length(raw) + raw


def _length(raw: bytes) -> bytes:
    size, out = len(raw), bytearray()
    while size > 127:
        out.append(size & 127 | 128)
        size >>= 7
    return bytes([*out, size])


def test_deep_values_become_text():
    """Below 64 levels the rest is one JSON text, with a note (J-12)."""
    notes = Notes()
    found = Attributes(notes).read([nested(64)], "")
    assert not notes
    found = Attributes(notes).read([nested(70)], "")
    text = orjson.dumps(found).decode()
    assert text == '{"k":' + "[" * 64 + '"' + "[" * 6 + "null" + "]" * 6 + '"' + "]" * 64 + "}" or text.count("[") == 70
    assert [kind for _, kind, _ in notes] == ["too_deep"]


@pytest.mark.parametrize("levels", [201, 5000])
def test_deeper_values_are_refused(levels: int):
    """Beyond 200 levels the span is refused; nothing recurses without end (T-38)."""
    with pytest.raises(Rejected, match="nested_too_deep"):
        Attributes(Notes()).read([nested(levels)], "")


def test_repeated_pairs_are_read_once():
    """A pair that was seen before gives the same again."""
    reader = Attributes(Notes())
    raws = [pair.SerializeToString() for pair in pairs({"a": "x", "b": 1})]
    assert reader.read(raws, "") == reader.read(list(reversed(raws)), "")


def test_notes_are_bounded():
    """A body full of odd values is refused before its notes fill the memory."""
    value = any_value([b""] * 100_001)
    with pytest.raises(Rejected, match="too_many_odd_values"):
        body(value.SerializeToString(), "/body", Notes())


def test_a_body():
    """The value of a log's body; absent and empty are null."""
    assert body(any_value("hi").SerializeToString(), "/body", Notes()) == "hi"
    assert body(None, "/body", Notes()) is body(b"", "/body", Notes()) is None


@pytest.mark.parametrize("held", [b"\x4a\x00" * 1_100_000, None], ids=["attributes", "members of a list"])
def test_X_08_a_request_with_too_many_attributes_is_refused(held: bytes | None):
    """A small body of empty attributes, or of empty members in one, does not become memory; the error says how many may be."""
    if held is None:
        members = b"\x0a\x00" * 1_100_000
        value = b"\x2a" + _varint(len(members)) + members
        pair = b"\x12" + _varint(len(value)) + value
        held = b"\x4a" + _varint(len(pair)) + pair
    body = b"\x0a\x10" + TRACE + b"\x12\x08" + SPAN + held
    for _ in range(3):
        body = b"\x12" + _varint(len(body)) + body
    with pytest.raises(DecodeError, match="more than 1,000,000 attributes"):
        traces_protobuf(b"\x0a" + body[1:])


def _varint(number: int) -> bytes:
    written = bytearray()
    while number > 127:
        written.append(number & 127 | 128)
        number >>= 7
    written.append(number)
    return bytes(written)
