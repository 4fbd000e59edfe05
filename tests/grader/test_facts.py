"""What expressions speak of."""

from typing import Any

import pytest

from collector.tree import CAPTURE_KINDS, Capture, Delegation, SkillRead
from grader.expressions.comparing import UNKNOWN
from grader.facts import CALL, FACTS, OF_A_JOB, OF_A_PAYLOAD, holds_unknown, lacking, values, words_of
from grader.scene import Scene, Scope
from tests.grader.trees import SECOND, call, captured, child, job, model_call, run, scene

EVERY_FIELD = frozenset(CALL)


def fact(where: Scene, name: str, scope: Scope = "tree") -> Any:
    return values((name,), where, scope, EVERY_FIELD)[name]


@pytest.mark.parametrize(
    ("reply", "output"),
    [('{"id": 10}', {"id": 10}), ("42", 42), ("plain", "plain"), ({"a": 1}, {"a": 1}), (None, None)],
)
def test_output_is_what_the_reply_says(reply: Any, output: Any) -> None:
    """JSON as a value, any other text as it stands."""
    assert fact(scene(reply=reply), "output") == output


def test_figures_of_the_job_and_of_its_tree() -> None:
    """Model calls and dollars of all jobs; `calls` are the job's own."""
    helper = child("helper", model_calls=[model_call(), model_call()])
    where = Scene(run(job(jobs=[helper], model_calls=[model_call()])))
    assert (fact(where, "model_calls"), fact(where, "model_calls", "job"), fact(where, "calls")) == (3, 1, 1)
    assert fact(where, "cost_usd") == pytest.approx(0.03)
    assert fact(where, "seconds") == 30.0


def test_calls_have_a_tool_and_a_function() -> None:
    """Split at the last dot; the agent is the caller's, the target the agent that was started."""
    started = child("helper", delegation=Delegation(mode="waited", call_id="1"))
    where = Scene(run(job(call("oz.delegate", {"to": "helper"}, "ok", call_id="1"), "plain", jobs=[started])))
    first, second = fact(where, "tool_calls")
    assert first == {
        "name": "oz.delegate", "tool": "oz", "function": "delegate", "target": "helper", "agent": "support",
        "state": "succeeded", "arguments": {"to": "helper"}, "result": "ok",
    }  # fmt: skip
    assert (second["tool"], second["function"], second["target"]) == ("", "plain", "")
    assert fact(where, "tools") == ["oz.delegate", "plain"]


def test_only_fields_that_are_named_are_filled_in() -> None:
    """Arguments that nobody captured leave an expression about names alone."""
    where = scene(call("f", arguments_capture="absent"))
    names_only = values(("tool_calls",), where, "tree", words_of("tool_calls.exists(c, c.function == 'f')"))
    assert names_only == {"tool_calls": [{"function": "f"}]}
    assert holds_unknown(values(("tool_calls",), where, "tree", words_of("tool_calls[0].arguments.a == 1")))


def test_skills_once_each_in_order_of_reading() -> None:
    """A skill that was read twice is one."""
    reads = [SkillRead("b/s", at=2), SkillRead("a/s", at=1), SkillRead("b/s", at=3)]
    assert fact(scene(skills=reads), "skills_read") == ["a/s", "b/s"]


@pytest.mark.parametrize(
    ("payload", "value", "raw"), [({"a": 1}, {"a": 1}, ""), ('{"a": 1}', {"a": 1}, '{"a": 1}'), ("go", "go", "go")]
)
def test_payloads(payload: Any, value: Any, raw: str) -> None:
    """A JSON text is both; one that is no text has no raw form."""
    given = Delegation(payload=payload, payload_capture="present")
    started = child("helper", delegation=given)
    where = Scene(run(job(jobs=[started]))).at(started)
    assert (fact(where, "payload"), fact(where, "payload_raw")) == (value, raw)


def test_what_was_not_captured_is_unknown() -> None:
    """Every fact, of a job of which nothing is known."""
    nothing = job(capture={}, agent=None, status="unknown", started=0, ended=None, reply=None)
    where = Scene(run(nothing))
    assert {name: fact(where, name) for name in FACTS} == dict.fromkeys(FACTS, UNKNOWN)
    assert all("not" in lacking(name, where, "tree") for name in FACTS)


def test_a_failed_jobs_error_that_nobody_wrote_down_is_unknown() -> None:
    """Null is for jobs that ended well."""
    assert fact(scene(), "error") is None
    assert fact(scene(status="failed", error="boom"), "error") == "boom"
    assert fact(scene(status="failed"), "error") is UNKNOWN
    assert fact(scene(model_calls=[model_call(cost_usd=None)]), "cost_usd") is UNKNOWN


def test_facts_name_kinds_of_evidence_that_exist() -> None:
    """And payloads are only for those who were given one."""
    assert {kind for fact in FACTS.values() for kind in fact.evidence} <= set(CAPTURE_KINDS)
    assert set(OF_A_JOB) | set(OF_A_PAYLOAD) == set(FACTS)
    assert "payload" not in OF_A_JOB


def test_whose_job_it_is_is_not_certain_where_a_span_is_missing() -> None:
    """The name may be that of an agent below the one that was lost."""
    lost = captured() | {"children": Capture("partial", ["parent_missing"])}
    assert fact(scene(), "agent") == "support"
    assert fact(scene(capture=lost), "agent") is UNKNOWN


def test_times_are_seconds() -> None:
    """A job without a span of its own may have taken longer."""
    assert fact(scene(ended=100 * SECOND + SECOND // 2), "seconds") == 0.5
    assert fact(scene(synthetic=True), "seconds") is UNKNOWN
    assert fact(scene(capture=captured(model_calls="partial")), "seconds") is UNKNOWN


@pytest.mark.parametrize("capture", [captured(tools="partial"), captured(requests="partial")])
@pytest.mark.parametrize("name", ["tools", "tool_calls"])
def test_calls_are_known_only_with_those_that_never_ran(name: str, capture: dict[str, Capture]) -> None:
    """An expression may look at any call, whatever became of it."""
    assert fact(scene("a"), name) != UNKNOWN
    assert fact(scene("a", capture=capture), name) is UNKNOWN
