"""Fields of OTLP/JSON."""

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.decode.decoded import Rejected
from collector.decode.json_fields import SEVERITIES, camel, decode_base64, identifier, integer, noted, unsigned64


@given(st.integers(0, 2**64 - 1))
def test_integers_are_exact(number: int):
    """Numbers and their texts are read without passing through a float (J-05)."""
    assert unsigned64(number) == unsigned64(str(number)) == number


@pytest.mark.parametrize(
    "value", ["", "1_000", "0x10", "9" * 70, "1.5", "inf", "nan", [], {}, True, 2**64, float(2**64)]
)
def test_what_is_no_integer(value: Any):
    """Anything else is refused with a code, whatever it is (J-05)."""
    with pytest.raises(Rejected):
        integer(value, 0, 2**64 - 1)


def test_severities_have_their_numbers():
    """The names of severities are those of the protocol."""
    assert (SEVERITIES["SEVERITY_NUMBER_INFO"], SEVERITIES["SEVERITY_NUMBER_FATAL4"]) == (9, 24)
    assert len(SEVERITIES) == 25


@given(st.binary(max_size=20))
def test_base64_in_all_its_forms(raw: bytes):
    """Standard and url-safe, padded or not (J-07)."""
    import base64

    for text in (base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode()):
        assert decode_base64(text) == decode_base64(text.rstrip("=")) == raw


@given(st.binary(min_size=16, max_size=16))
def test_ids_are_hex_of_either_case(raw: bytes):
    """Ids are read from both cases, and blanks within are not passed over (J-01)."""
    assert identifier(raw.hex(), 16) == identifier(raw.hex().upper(), 16) == raw
    with pytest.raises(Rejected):
        identifier(raw.hex()[:30] + "  ", 16)


def test_camel_wins_over_snake():
    """Where both spellings are there the valid one counts (J-04)."""
    warnings: dict[str, int] = {}
    assert camel({"trace_id": "a", "traceId": "b"}, warnings)["traceId"] == "b"
    assert warnings == {"snake_case": 1}


def test_what_stands_in_an_ids_place_is_noted_unless_it_is_bottomless():
    """A list of bytes is kept as it is; what orjson could not write refuses its span alone (J-12)."""
    deep: Any = []
    for _ in range(300):
        deep = [deep]
    assert noted([1, 2]) == [1, 2]
    with pytest.raises(Rejected, match="nested_too_deep"):
        noted(deep)


def test_an_integer_below_64_bits_is_not_rounded_into_range():
    """Orjson makes a float of it, which reads as -2^63: it is refused, and -2^63 itself is kept (J-05)."""
    assert integer(orjson.loads(b"-9223372036854775808"), -(2**63), 2**63 - 1) == -(2**63)
    with pytest.raises(Rejected, match="number_out_of_range"):
        integer(orjson.loads(b"-9223372036854775809"), -(2**63), 2**63 - 1)
