"""JSON texts."""

import math

import orjson
from hypothesis import given
from hypothesis import strategies as st

from collector.decode.beside import Notes
from collector.decode.json_text import dump, not_finite, parse


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
