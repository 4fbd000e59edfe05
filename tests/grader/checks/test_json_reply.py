"""`json`: what the final answer holds where it is JSON."""

from typing import Any

import pytest
from pydantic import ValidationError

from grader.checks.json_reply import Json, Number
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


@pytest.mark.parametrize(
    ("reply", "path", "near", "truth"),
    [
        ("42", (), (42.4, 0.5, 0), True),
        ("42", (), (42.6, 0.5, 0), False),
        (" +42 ", (), (42, 0, 0), True),
        (42, (), (42.0, 0, 0), True),
        ('"42"', (), (42, 0, 0), True),
        ('{"a": "42"}', ("a",), (42, 0, 0), True),
        ('{"a": [1, 2]}', ("a", "1"), (2, 0, 0), True),
        ('{"a": true}', ("a",), (1, 0, 0), False),
        ("NaN", (), (1, 9, 0), False),
        ("about 42", (), (42, 0, 0), False),
        ("42", ("a",), (42, 0, 0), False),
        ('{"b": 1}', ("a",), (1, 0, 0), False),
        ("110", (), (100, 0, 0.1), True),
        ("112", (), (100, 0, 0.1), False),
    ],
)
def test_a_number_near_another(reply: Any, path: Any, near: Any, truth: bool):
    """A text that is a number counts; a relative distance is of the larger of the two."""
    value, absolute, relative = near
    number = Number(path=path, value=value, abs=absolute, rel=relative)
    assert number.decide(scene(reply=reply)).truth is truth


def test_the_miss_shows_both_numbers():
    """And how near they had to be."""
    number = Number(path=("a",), value=50.0, abs=0.01, rel=0.0)
    assert number.decide(scene(reply='{"a": 60}')).sentence == "a is 60; expected 50.0 within 0.01 by value"
    assert number.decide(scene(reply='{"a": "x"}')).sentence.startswith("a is x; expected a number, 50.0")
