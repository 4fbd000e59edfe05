"""JSON texts."""

import math

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.decode.beside import Notes
from collector.decode.decoded import DecodeError
from collector.decode.json_text import MOST_VALUES, dump, not_finite, parse


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_doubles_look_like_doubles(number: float):
    """A double has a dot or an exponent, so that it is told from an integer, and reads back exactly."""
    text = dump(number).decode()
    assert any(mark in text for mark in ".e")
    assert math.copysign(1, orjson.loads(text)) == math.copysign(1, number)
    assert orjson.loads(text) == number


def test_doubles_that_json_lacks():
    """NaN and the infinities are texts with a note."""
    notes = Notes()
    found = [not_finite(number, "/x", notes) for number in (math.nan, math.inf, -math.inf)]
    assert found == ["NaN", "Infinity", "-Infinity"]
    assert len(notes) == 3


@given(st.dictionaries(st.text(), st.text()))
def test_repairing_changes_no_good_text(value: dict[str, str]):
    """Bodies with all kinds of escapes are read as they are."""
    import json

    assert parse(json.dumps(value).encode()) == (value, False)
    mixed = json.dumps({**value, "lone": "\ud800"}).encode()
    assert parse(mixed) == ({**value, "lone": "�"}, True)


@pytest.mark.parametrize("value", ["{}", "[]", '{"":0}', "0"])
def test_X_08_a_body_of_too_many_values_is_refused_unread(value: str):
    """Whatever the values are: they are counted before memory is taken for any of them."""
    marks = 1 + sum(map(value.count, "{["))
    body = '{"a":[' + f"{value}," * (MOST_VALUES // marks + 1) + "0]}"
    with pytest.raises(DecodeError, match="more than 8,000,000 values; send fewer rows"):
        parse(body.encode())
    assert parse(f'{{"a":[{value},0]}}'.encode())[1] is False
