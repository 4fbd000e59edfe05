"""The whole reply is JSON."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.checks.valid_json import ValidJson
from tests.grader.trees import captured, scene


def decide(reply: Any, state: Any = "present") -> Any:
    return ValidJson().decide(scene(reply=reply, capture=captured(reply=state)))


@pytest.mark.parametrize(
    "reply", ["{}", " [1]\n", "null", "true", "1e3", '"x"', '"\\ud800"', "9" * 5_000, [1], {"a": None}]
)
def test_json_of_any_kind(reply: Any) -> None:
    """Scalars, numbers of any length, and what was captured as a structure."""
    assert decide(reply).truth is True


@pytest.mark.parametrize(
    "reply", ["", " ", None, "x", "NaN", "[Infinity]", "{'a': 1}", "1 2", "```\n{}\n```", "[" * 100_000]
)
def test_what_is_no_json(reply: Any) -> None:
    """With what is wrong."""
    assert decide(reply).truth is False
    assert decide(reply).sentence.startswith("the reply is not JSON: ")


@pytest.mark.parametrize("state", ["absent", "partial", "malformed"])
def test_a_reply_that_is_not_all_there_decides_nothing(state: str) -> None:
    """Neither JSON nor none."""
    assert decide("{}", state).truth is None
    assert decide("x", state).truth is None


@given(st.text(alphabet='{}[]",:0123456789.eE+-truefalsnN \n\\u', max_size=30))
def test_it_agrees_with_a_strict_reader(reply: str) -> None:
    """Whatever the text."""
    try:
        json.loads(reply.strip(), parse_constant=lambda name: json.loads(name + "!"))
        expected = True
    except ValueError:
        expected = False
    assert decide(reply).truth is expected
