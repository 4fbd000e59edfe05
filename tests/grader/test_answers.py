"""Answers as texts and as structures."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.answers import renderings, spaced, structure


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        (" [1]", [1]),
        ("42", "42"),
        ("true", "true"),
        ('"x"', '"x"'),
        ("{a}", "{a}"),
        ("[NaN]", "[NaN]"),
        ({"a": 1}, {"a": 1}),
        (42, 42),
        (None, None),
    ],
)
def test_a_text_that_is_an_object_or_a_list_is_a_structure(reply: Any, value: Any) -> None:
    """Whatever else it looks like, it stays a text."""
    assert structure(reply) == value


@pytest.mark.parametrize(
    ("reply", "texts"),
    [
        ({"a": [1, "ü"]}, ('{"a":[1,"ü"]}', '{"a": [1, "ü"]}')),
        ('{"a" :1}', ('{"a" :1}', '{"a":1}', '{"a": 1}')),
        ("text", ("text",)),
        (1.5, ("1.5",)),
        (None, ("",)),
    ],
)
def test_all_that_an_answer_may_be_written_as(reply: Any, texts: tuple[str, ...]) -> None:
    """Its own text first; each once."""
    assert renderings(reply) == texts


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(st.characters(codec="utf-8"), max_size=5),
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=3), below, max_size=3)
    ),
    max_leaves=10,
)


@given(JSON)
def test_spaced_json_is_that_value(value: Any) -> None:
    """Read back it is the same, with the spaces that Python's own writer puts."""
    assert json.loads(spaced(value)) == value
    assert spaced(value).replace("\x7f", "\\u007f") == json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
