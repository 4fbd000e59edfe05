"""`json`: what the final answer holds where it is JSON."""

from typing import Any

import pytest
from pydantic import ValidationError

from grader.checks.json_reply import Json
from grader.forms import Defaults
from grader.outcome import Finding
from tests.grader.trees import captured, scene


def decide(reply: object, state: str = "present", **demand: object) -> Finding:
    where = scene(reply=reply, capture=captured(reply=state))  # ty: ignore
    return Json.model_validate({"json": demand}).compile(Defaults()).decide(where)


@pytest.mark.parametrize(
    ("reply", "demand", "truth"),
    [
        ('{"amount": 50.0}', {"path": "amount", "equals": 50}, True),
        ('{"amount": true}', {"path": "amount", "equals": 1}, False),
        ('{"a": [{"b": "x"}]}', {"path": "a.0.b", "equals": "x"}, True),
        ('{"a": 1}', {"path": "b", "equals": None}, False),
        ('{"a": null}', {"path": "a", "equals": None}, True),
        ("42", {"equals": 42}, True),
        ({"a": 1}, {"equals": {"a": 1}}, True),
        ('{"a": 7}', {"path": "a", "equals": {"$between": [5, 9]}}, True),
        ('{"a": 50.005}', {"path": "a", "near": 50, "abs": 0.01}, True),
        ('{"a": 50.02}', {"path": "a", "near": 50, "abs": 0.01}, False),
        ('{"a": "50"}', {"path": "a", "near": 50, "abs": 0.01}, False),
        ('{"a": 0}', {"path": "a", "nonempty": True}, True),
        ('{"a": []}', {"path": "a", "nonempty": True}, False),
        ('{"a": " "}', {"path": "a", "nonempty": True}, True),
        ('{"a": 1}', {"schema": {"type": "object", "required": ["a"]}}, True),
        ('{"a": "x"}', {"schema": {"properties": {"a": {"type": "integer"}}}}, False),
        ("not json", {"path": "a", "nonempty": True}, False),
        ("NaN", {"equals": 1}, False),
        ("```json\n{}\n```", {"schema": True}, False),
    ],
)
def test_demands(reply: Any, demand: Any, truth: Any):
    """Numbers by value, booleans never numbers; what is no JSON fails."""
    assert decide(reply, **demand).truth is truth


def test_the_miss_shows_what_stands_there():
    """Path, found value, expected value."""
    assert decide('{"amount": 60}', path="amount", equals=50).sentence == "amount is 60; expected 50"


def test_the_first_schema_error_is_told_with_its_place():
    """And how many more there are."""
    finding = decide('{"a": "x"}', schema={"properties": {"a": {"type": "integer"}}})
    assert "a: 'x' is not of type 'integer'" in finding.sentence


@pytest.mark.parametrize("state", ["absent", "partial", "malformed"])
def test_a_reply_not_captured_whole_is_unknown(state: Any):
    """Cut JSON is neither JSON nor not."""
    assert decide('{"a": 1}', state, path="a", equals=1).truth is None


def test_a_remote_reference_is_never_fetched():
    """A `$ref` to the net ends in an error of the check, not in a request."""
    with pytest.raises(Exception, match=r"example\.invalid"):
        decide("1", schema={"$ref": "http://example.invalid/schema.json"})


@pytest.mark.parametrize(
    "demand",
    [{}, {"path": "a"}, {"equals": 1, "nonempty": True}, {"near": 1}, {"abs": 1}, {"schema": {"type": "nonsense"}}],
)
def test_bad_demands_are_refused_at_load(demand: Any):
    """Exactly one demand, and it must be sound."""
    with pytest.raises(ValidationError):
        Json.model_validate({"json": demand})
