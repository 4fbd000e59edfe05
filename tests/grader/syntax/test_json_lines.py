"""JSON with lines, strictly."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.syntax.json_lines import read

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(), below, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.sampled_from([None, 1, "\t"]))
def test_reads_what_json_writes(value: Any, indent: Any) -> None:
    """Every value that Python's own writer makes comes back as it was."""
    document = read("f", json.dumps(value, indent=indent))
    assert not document.mistakes
    assert document.value == value


@given(st.text(alphabet='{}[]",:0123456789.eE+-truefalsn \n\\u', max_size=30))
def test_refuses_what_json_refuses(text: str) -> None:
    """Whatever the text, it is read exactly where Python's reader reads it, and never crashes."""
    document = read("f", text)
    try:
        expected = json.loads(text, parse_constant=float)
    except ValueError:
        assert document.mistakes
        return
    if not document.mistakes:
        assert document.value == expected


def test_lines_of_keys_and_items() -> None:
    """Every key and item has its line."""
    document = read("f", '{\n "a": 1,\n "b": [\n  {"c": 2},\n  3]\n}')
    assert document.value == {"a": 1, "b": [{"c": 2}, 3]}
    assert [document.line(w) for w in (("a",), ("b", 0, "c"), ("b", 1))] == [2, 4, 5]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('{"a": 1,\n "a": 2}', 2, "twice (first on line 1)"),
        ("[1,\nNaN]", 2, "NaN is not JSON"),
        ("[-Infinity]", 1, "-Infinity is not JSON"),
        ("[1e999]", 1, "too large"),
        ("[1,\n2,]", 2, "Expecting value"),
        ('{"a" 1}', 1, "':' is expected"),
        ("{a: 1}", 1, "double quotes"),
        ("[1\n2]", 2, "',' or ']'"),
        ("[1]\nx", 2, "something follows"),
        (" \n", 1, "empty"),
        ("[" * 100_000, 1, "nested too deep"),
        ("[" + "9" * 5_000 + "]", 1, "limit"),
    ],
)
def test_mistakes_have_their_line(text: str, line: int, message: str) -> None:
    """What Python's own reader lets pass (NaN, a key that stands twice) is a mistake too."""
    found = read("f", text).mistakes
    assert [m.line for m in found] == [line]
    assert message in found[0].message
