"""Python's way of writing values: read, never evaluated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.normalize.literals import CLASS, fields, parse

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=15,
)


@given(VALUES)
def test_a_repr_is_read_back(value: object) -> None:
    """What `repr` writes of plain values is the value again."""
    assert parse(repr(value)) == value


@given(st.text(max_size=200))
def test_any_text_is_a_value_or_none(text: str) -> None:
    """Whatever the text, there is a value or a ValueError, and nothing runs."""
    try:
        parse(text)
        fields(text)
    except ValueError:
        pass


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(1, 'a')", [1, "a"]),
        ("{1}", [1]),
        ("'it' \"'s\"", "it's"),
        ("'\\x41\\u00e9\\n'", "Aé\n"),
        ("Call(name='x', args={'a': 1})", {CLASS: "Call", "name": "x", "args": {"a": 1}}),
        ("[datetime.date(2024, 1, 2)]", [{CLASS: "datetime.date", "args": [2024, 1, 2]}]),
        ("{'tool': <function tool at 0x7f>}", {"tool": "<function tool at 0x7f>"}),
    ],
)
def test_objects_become_their_fields(text: str, value: object) -> None:
    """Tuples and sets become lists, an object its fields with its class, an opaque object its text."""
    assert parse(text) == value


@pytest.mark.parametrize("text", ["{'a': 'cut o", "[ok]", "__import__", "1 2", "{'a' 1}", "f(x)", "[" * 100_000])
def test_what_is_no_literal_is_refused(text: str) -> None:
    """A cut-off value, a bare name, a computation: none of them is a literal."""
    with pytest.raises(ValueError, match=r"literal|cut off|deeply"):
        parse(text)


def test_fields_of_an_object_written_by_str() -> None:
    """Pydantic's `str` of an object is its fields."""
    assert fields("content='{\"a\": 1}' name='x' id=None") == {"content": '{"a": 1}', "name": "x", "id": None}
