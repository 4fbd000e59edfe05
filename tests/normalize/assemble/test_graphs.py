"""Graphs: which of the spans that a graph framework writes are jobs."""

import json
from typing import Any

from collector.tree import Job
from tests.normalize.spans import Row, asks, chat, job, row, says, told, user

SCOPE = "opentelemetry.instrumentation.langchain"


def node(span_id: str, kind: str, checkpoint: str | None = None, within: str | None = None, /, **fields: Any) -> Row:
    """A span as OpenInference writes it for LangGraph; `checkpoint` is the path of graphs that it stands in.

    `within` is the run of a nested graph that it is part of.
    """
    metadata = {"langgraph_checkpoint_ns": checkpoint, "checkpoint_ns": within}
    held = {
        "openinference.span.kind": kind,
        "metadata": json.dumps({key: value for key, value in metadata.items() if value}),
    }
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


LOOP = asks(("call_9f3a7c21", "look", {"id": 7}))


def called(*lost: str) -> Job:
    """A graph whose node runs, through a function, a graph with two nodes; some spans are lost."""
    rows = (
        node("g", "CHAIN", name="team", end=99_000),
        node("n", "AGENT", "clerk:1", parent="g", name="clerk_agent", end=98_000),
        node("f", "AGENT", "clerk:1", parent="n", name="call_agent", end=97_000),
        node("i", "AGENT", "clerk:1", "clerk:1", parent="f", name="clerk_agent", end=96_000),
        node("a", "CHAIN", "clerk:1|model:2", "clerk:1", parent="i", name="model", end=9_000),
        node("c", "CHAIN", "clerk:1|model:2", "clerk:1", parent="a", name="call_model"),
        chat("m", [user("hi")], [LOOP], parent="c"),
        node("b", "CHAIN", "clerk:1|model:3", "clerk:1", parent="i", name="model", end=95_000),
        node("d", "CHAIN", "clerk:1|model:3", "clerk:1", parent="b", name="call_model"),
        chat("o", [user("hi"), LOOP, told("call_9f3a7c21", "ok")], [says("Done.")], parent="d"),
    )
    return job(*(row for row in rows if row["span_id"] not in lost))


def test_what_ran_a_lost_graph_is_no_graph() -> None:
    """Its nodes stand in a run that the function around it does not: the function is no agent, its name nobody's."""
    whole, root = called(), called("i")
    assert (whole.agent, whole.reply) == ("clerk_agent", "Done.")
    assert (root.agent, root.reply, root.capture["tools"].state) == (None, "Done.", "partial")


def test_a_graph_is_one_without_its_nodes() -> None:
    """What is below the lost nodes stands in the graph's own run."""
    root = called("a", "b")
    assert (root.agent, root.reply, root.jobs) == ("clerk_agent", "Done.", [])


def tasks(*lost: str) -> Job:
    """A graph that runs another twice, each time announced by a childless span, as OpenLLMetry writes it."""
    own = "traceloop.association.properties."

    def task(span_id: str, entity: str, checkpoint: str, parent: str, end: int) -> Row:
        held = {
            "gen_ai.operation.name": "execute_task",
            "traceloop.entity.name": entity,
            own + "langgraph_checkpoint_ns": checkpoint,
        }
        return row(span_id, held, parent=parent, scope=SCOPE, end=end)

    invoke = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "triage"}
    rows = [row("w", {**invoke, "gen_ai.agent.name": "team", "traceloop.span.kind": "workflow"}, scope=SCOPE)]
    for at, mark in ((10_000, "1"), (50_000, "2")):
        rows += [
            task("n" + mark, "triage", "triage:" + mark, "w", at + 9_000),
            row("t" + mark, invoke, parent="n" + mark, scope=SCOPE, start=at, end=at + 8_000),
            task("g" + mark, "triage", "triage:" + mark, "n" + mark, at + 7_000),
            task("a" + mark, "agent", "triage:" + mark + "|agent:9", "g" + mark, at + 6_000),
            task("c" + mark, "call_model", "triage:" + mark + "|agent:9", "a" + mark, at + 5_500),
            chat("m" + mark, [user("hi")], [says("Hello.")], parent="c" + mark),
        ]
        for position, held in enumerate(rows[-6:]):
            held["start_ns"] = at + position
            held["end_ns"] = held["end_ns"] or at + 5_000
    return job(*(held for held in rows if held["span_id"] not in lost))


def test_an_announcement_counts_for_every_run_of_the_graph() -> None:
    """Where one of two is lost, the graph that it announced still has its name."""
    assert [child.agent for child in tasks("t1").jobs] == ["triage", "triage"]


def test_below_a_graph_and_its_announcement_is_below_the_graph() -> None:
    """A lost node of the graph was in the time of both spans."""
    assert [(child.agent, child.reply, child.jobs) for child in tasks("a2").jobs] == [("triage", "Hello.", [])] * 2


def test_an_announcement_stands_for_a_lost_graph() -> None:
    """What the graph did is the announced agent's."""
    assert [(child.agent, child.reply, child.jobs) for child in tasks("g2").jobs] == [("triage", "Hello.", [])] * 2
