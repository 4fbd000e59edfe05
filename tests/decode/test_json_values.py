"""AnyValue in JSON; that it equals protobuf's is tested in test_from_json."""

from typing import Any

import pytest

from collector.decode.beside import Notes
from collector.decode.decoded import DecodeError, Rejected
from collector.decode.json_values import JsonAttributes


def read(value: Any) -> tuple[Any, Notes, dict[str, int]]:
    """One value, the notes and the warnings."""
    notes, warnings = Notes(), {}
    return JsonAttributes(notes, warnings).value(value, "/v"), notes, warnings


@pytest.mark.parametrize(
    ("sent", "value"),
    [
        ({}, None),
        (None, None),
        ({"stringValue": None}, None),
        ({"somethingNew": 1}, None),
        ({"stringValue": "x", "intValue": None}, "x"),
        ({"intValue": "-5"}, -5),
        ({"intValue": 9223372036854775807}, 9223372036854775807),
        ({"doubleValue": 1}, 1.0),
        ({"doubleValue": "1.5"}, 1.5),
        ({"doubleValue": "-Infinity"}, "-Infinity"),
        ({"boolValue": False}, False),
        ({"bytesValue": "_-8"}, "/+8="),
        ({"bytesValue": "/+8="}, "/+8="),
        ({"arrayValue": {}}, []),
        ({"arrayValue": {"values": [{"intValue": 1}, None, {}]}}, [1, None, None]),
        (
            {"kvlistValue": {"values": [{"key": "a"}, {"key": "b", "value": {"boolValue": True}}]}},
            {"a": None, "b": True},
        ),
    ],
)
def test_values(sent: Any, value: Any):
    """Every kind, with null for what is absent (J-05 to J-08, T-20, T-39)."""
    found = read(sent)[0]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"stringValue": 5}, "wrong_type"),
        ({"boolValue": "true"}, "wrong_type"),
        ({"intValue": True}, "wrong_type"),
        ({"intValue": 1.5}, "number_out_of_range"),
        ({"doubleValue": "many"}, "wrong_type"),
        ({"doubleValue": "nan"}, "wrong_type"),
        ({"bytesValue": "!!"}, "bad_base64"),
        ({"bytesValue": "a"}, "bad_base64"),
        ({"arrayValue": []}, "wrong_type"),
        ({"kvlistValue": {"values": {"a": 1}}}, "attributes_not_a_list"),
        ({"intValue": 1, "boolValue": True}, "value_conflict"),
        ({"doubleValue": {}}, "wrong_type"),
        ({"doubleValue": []}, "wrong_type"),
        ({"doubleValue": True}, "wrong_type"),
        ([], "wrong_type"),
    ],
)
def test_what_is_refused(sent: Any, code: str):
    """Each fault has its code (J-05, J-09, J-13)."""
    with pytest.raises(Rejected, match=code):
        read(sent)


def nested(levels: int) -> Any:
    """A list in a list and so on."""
    value: Any = {}
    for _ in range(levels):
        value = {"arrayValue": {"values": [value]}}
    return value


def test_deep_values_become_text():
    """Below 64 levels the rest is one JSON text, with a note (J-12)."""
    assert read(nested(64))[1] == []
    assert [kind for _, kind, _ in read(nested(100))[1]] == ["too_deep"]


def test_deeper_values_are_refused():
    """Beyond 200 levels the span is refused (T-38)."""
    with pytest.raises(Rejected, match="nested_too_deep"):
        read(nested(201))
    assert read(nested(200))[1]


def test_snake_case_is_read_with_a_warning():
    """snake_case kinds are read, and counted (J-04)."""
    assert read({"string_value": "x"})[::2] == ("x", {"snake_case": 1})


def test_X_08_a_request_with_too_many_attributes_is_refused():
    """They are counted before they are read."""
    notes = Notes()
    reader = JsonAttributes(notes, {})
    many = [{"key": str(number)} for number in range(600_000)]
    reader.read(many, "/attributes")
    with pytest.raises(DecodeError, match="more than 1,000,000 attributes"):
        reader.read(many, "/attributes")
