"""CrewAI: through OpenInference, and its own tracing."""

import json
from typing import Any

from tests.normalize.spans import Row, job, row, runs, seen

SCOPE = "openinference.instrumentation.crewai"


def span(span_id: str, kind: str, name: str, given: Any, made: Any, /, parent: str | None = None, **held: Any) -> Row:
    """A span of OpenInference's."""
    values = {f"{side}.value": json.dumps(v) for side, v in (("input", given), ("output", made)) if v is not None}
    return row(span_id, {"openinference.span.kind": kind, **values, **held}, name=name, parent=parent, scope=SCOPE)


def test_a_crew_of_one_lends_its_inputs_to_its_agent() -> None:
    """The agent's own input is a dump; a failed agent was asked what the crew was asked."""
    found = job(
        span("c", "CHAIN", "shop.kickoff", {"request": "refund it"}, None),
        span(
            "a",
            "AGENT",
            "Clerk.work._execute_core",
            {"agent": {"role": "Clerk"}},
            None,
            "c",
            **{"graph.node.id": "Clerk\n"},
        ),
    )
    assert (found.agent, found.input) == ("Clerk", "refund it")


def test_what_an_agent_was_asked_stands_in_its_output() -> None:
    """The task's description, and the raw text as the reply."""
    made = {"description": "refund A-1", "raw": "done", "pydantic": None, "json_dict": None, "agent": "Clerk"}
    found = job(span("a", "AGENT", "Clerk._execute_core", {"agent": {}}, made, **{"graph.node.id": "Clerk"}))
    assert (found.input, found.reply) == ("refund A-1", "done")


def test_work_for_a_coworker_is_a_job_of_that_coworker() -> None:
    """The coworker has no span: what lies below the tool is what it did."""
    held = {"tool.name": "Delegate work to coworker"}
    found = job(
        span("a", "AGENT", "Boss._execute_core", {}, {"raw": "ok"}, **{"graph.node.id": "Boss"}),
        span("x", "TOOL", "Delegate work to coworker.run", {"task": "find", "coworker": "finder"}, None, "a", **held),
        span("y", "TOOL", "look.run", {"n": 1}, None, "x", **{"tool.name": "look", "output.value": "5"}),
    )
    (child,) = found.jobs
    assert [call.name for call in found.tool_calls] == ["Delegate work to coworker"]
    assert (child.agent, child.via, [call.name for call in child.tool_calls]) == ("finder", "tool", ["look"])


def test_an_agent_without_a_crew_is_an_agent() -> None:
    """`ROLE.kickoff` of kind AGENT is a job, of kind CHAIN a crew."""
    found = job(
        span("a", "AGENT", "Clerk.kickoff", {"messages": "refund it"}, {"raw": "done"}, **{"graph.node.id": "Clerk"})
    )
    assert (found.agent, found.input, found.reply) == ("Clerk", "refund it", "done")


def test_product_analytics_are_dropped() -> None:
    """CrewAI's telemetry tells of no run."""
    assert runs(row("t", {"crew_key": "k"}, name="Crew Created", scope="crewai.telemetry")) == []


def test_a_persons_feedback_is_an_approval() -> None:
    """A request that waits, and an outcome."""
    held = {"crewai.human_feedback.method_name": "review", "crewai.human_feedback.request_id": "r1"}
    (asked,) = seen(row("q", held, name="request human feedback", scope="crewai")).approvals
    got = {**held, "crewai.human_feedback.outcome": "rejected", "crewai.human_feedback.feedback": "too much"}
    (said,) = seen(row("r", got, name="receive human feedback", scope="crewai")).approvals
    assert (asked.decision, said.decision, said.reason, said.call_id) == ("pending", "reject", "too much", "r1")


def test_native_spans_have_roles_by_name() -> None:
    """Crews contain, agents are jobs, and calls are calls."""
    roles = [
        seen(row("s", {"crewai.x": 1}, name=n)).role
        for n in ("execute crew", "execute agent a", "call llm", "call tool t")
    ]
    assert roles == ["workflow", "job", "model", "tool"]
