"""Graphs: which of the spans that a graph framework writes are jobs."""

from typing import Any

from collector.tree import Job
from tests.normalize.spans import Row, chat, job, row, says, user

SCOPE = "opentelemetry.instrumentation.langchain"


def node(span_id: str, kind: str, checkpoint: str | None = None, /, **fields: Any) -> Row:
    """A span as OpenInference writes it for LangGraph; `checkpoint` is the path of graphs that it stands in."""
    metadata = f'{{"langgraph_checkpoint_ns": "{checkpoint}"}}' if checkpoint else "{}"
    held = {"openinference.span.kind": kind, "metadata": metadata}
    return row(span_id, held, scope="openinference.instrumentation.langchain", **fields)


def supervised() -> Job:
    """A graph whose node `triage_agent` runs a graph of that name, which has a node called `agent`."""
    return job(
        node("g", "CHAIN", name="team"),
        node("n", "AGENT", "triage_agent:1", parent="g", name="triage_agent"),
        node("i", "AGENT", "triage_agent:1", parent="n", name="triage_agent"),
        node("a", "AGENT", "triage_agent:1|agent:2", parent="i", name="agent"),
        chat("m", [user("hi")], [says("Hello.")], parent="a"),
    )


def test_a_span_above_deeper_nodes_is_the_graph() -> None:
    """Of three nested spans that are called agents one is: the one whose own children stand a level deeper."""
    root = supervised()
    assert root.agent == "triage_agent"
    assert root.jobs == []


def test_a_guess_that_fails_is_a_step() -> None:
    """A hook with "agent" in its name, and nothing deeper below it, is no job."""
    root = job(
        node("g", "AGENT", name="support_agent"),
        node("h", "AGENT", "Hook.before_agent:1", parent="g", name="Hook.before_agent"),
        node("n", "CHAIN", "model:1", parent="g", name="model"),
        chat("m", [user("hi")], [says("Hello.")], parent="n"),
    )
    assert (root.agent, root.jobs) == ("support_agent", [])


def test_a_childless_twin_lends_its_name() -> None:
    """A span that only announces a graph beside it gives the graph its agent's name and is no job itself."""
    own = "traceloop.association.properties."

    def task(span_id: str, entity: str, checkpoint: str, parent: str) -> Row:
        held = {
            "gen_ai.operation.name": "execute_task",
            "traceloop.entity.name": entity,
            own + "langgraph_checkpoint_ns": checkpoint,
        }
        return row(span_id, held, parent=parent, scope=SCOPE, name=f"execute_task {entity}")

    invoke = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "triage"}
    root = job(
        row("w", {**invoke, "gen_ai.agent.name": "team", "traceloop.span.kind": "workflow"}, scope=SCOPE),
        task("n", "triage", "triage:1", "w"),
        row("t", invoke, parent="n", scope=SCOPE, name="invoke_agent triage"),
        task("g", "triage", "triage:1", "n"),
        task("a", "agent", "triage:1|agent:2", "g"),
        chat("m", [user("hi")], [says("Hello.")], parent="a"),
    )
    assert (root.agent, root.jobs) == ("triage", [])
