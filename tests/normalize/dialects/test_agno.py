"""Agno through OpenInference."""

from typing import Any

from tests.normalize.spans import Row, job, row

SCOPE = "openinference.instrumentation.agno"


def span(span_id: str, kind: str, name: str, held: dict[str, Any], parent: str | None = None, **more: Any) -> Row:
    """A span of OpenInference's."""
    return row(span_id, {"openinference.span.kind": kind, **held}, name=name, parent=parent, scope=SCOPE, **more)


def run_of(span_id: str, name: str, parent: str | None = None, **held: Any) -> Row:
    """An agent's run: its words are plain text, whatever the declared type."""
    facts = {
        "agent.name": name,
        "input.value": f"ask {name}",
        "output.value": "done",
        "output.mime_type": "application/json",
    }
    return span(span_id, "AGENT", f"{name.replace('-', '_')}.run", facts | held, parent)


def test_the_true_name_is_an_attribute() -> None:
    """The span's name rewrites it; a node's id names nobody."""
    found = job(run_of("a", "refund-clerk"))
    assert (found.agent, found.input, found.reply) == ("refund-clerk", "ask refund-clerk", "done")
    assert job(span("a", "AGENT", "Agent.run", {"graph.node.id": "f3a9"})).agent is None


def test_a_tools_parameters_are_its_arguments() -> None:
    """Elsewhere in OpenInference they are a schema."""
    found = job(
        run_of("a", "clerk"), span("x", "TOOL", "look", {"tool.name": "look", "tool.parameters": '{"n": 1}'}, "a")
    )
    assert found.tool_calls[0].arguments == {"n": 1}


def test_a_failed_tools_text_is_its_output() -> None:
    """It is the error, not a result."""
    held = {"tool.name": "look", "output.value": "unavailable"}
    (call,) = job(run_of("a", "clerk"), span("x", "TOOL", "look", held, "a", error="")).tool_calls
    assert (call.state, call.error, call.result) == ("failed", "unavailable", None)


def test_a_member_runs_in_the_time_of_the_tool_that_gave_it_work() -> None:
    """Their spans are siblings; the parent node is hierarchy, no handoff."""
    found = job(
        run_of("a", "boss", **{"graph.node.id": "n1"}),
        span(
            "x",
            "TOOL",
            "delegate_task_to_member",
            {"tool.name": "delegate_task_to_member"},
            "a",
            start=2_000,
            end=9_000,
        ),
        span(
            "b",
            "AGENT",
            "finder.run",
            {"agent.name": "finder", "graph.node.parent_id": "n1"},
            "a",
            start=3_000,
            end=8_000,
        ),
    )
    (child,) = found.jobs
    assert (child.agent, child.via) == ("finder", "tool")


def test_a_failed_run_has_no_reply() -> None:
    """Its output is the error's text."""
    held = {"agent.name": "clerk", "output.value": "the model failed"}
    found = job(span("a", "AGENT", "clerk.run", held, error="run status: error"))
    assert (found.status, found.reply) == ("failed", None)
