"""When a condition is met: missing fields are unmet, what was not captured stays open."""

import pytest

from grader.expressions.dsl import UNKNOWN, compile_dsl
from grader.met import context_of, met, params_of
from grader.outcome import Truth
from grader.scene import Scene
from tests.grader.trees import call, job, run

ROOTS = ("params", "context")


@pytest.mark.parametrize(
    ("source", "params", "expected"),
    [
        ("params.a == 1", {"a": 1}, True),
        ("params.a == 1", {"a": 2}, False),
        ("params.a == 1", {}, False),
        ("not params.a == 1", {}, False),
        ("not params.a", {}, True),
        ("params.a < 2", {"a": "1"}, False),
        ("params.a == 1", UNKNOWN, None),
        ("not params.a == 1", UNKNOWN, None),
        ("context.a == 1", UNKNOWN, False),
        ("context.a == 1 and params.a == 1", UNKNOWN, None),
        ("true or params.a == 1", UNKNOWN, True),
    ],
)
def test_what_is_not_true_is_not_met(source: str, params: object, expected: Truth) -> None:
    """Only a root that the condition mentions, and that was not captured, leaves it open."""
    assert met(compile_dsl(source, ROOTS), {"params": params, "context": {}}) is expected


def test_params_are_known_when_captured_whole() -> None:
    """No arguments are an empty object; cut or missing ones are unknown."""
    assert params_of(call("t", {"a": 1})) == {"a": 1}
    assert params_of(call("t", None)) == {}
    assert params_of(call("t", {"a": 1}, arguments_capture="partial")) is UNKNOWN
    assert params_of(call("t", None, arguments_capture="absent")) is UNKNOWN


def test_no_context_is_an_unknown_one() -> None:
    """What the fixture held was not captured; an empty one was."""
    assert context_of(Scene(run(job()))) is UNKNOWN
    assert context_of(Scene(run(job(context={"id": 1})))) == {"id": 1}
    assert context_of(Scene(run(job()), context={})) == {}
