"""Whether every call that a job's models asked for is known, also one that never ran."""

from typing import Any

import pytest

from collector.tree import Job
from tests.normalize.spans import Row, agent, asks, chat, job, row, says, told, tool, user

CALLS = {"gen_ai.response.finish_reasons": ["tool_calls"]}
STOPS = {"gen_ai.response.finish_reasons": ["stop"]}
RAN = tool("t", "look", "c1", {}, "ok", parent="a")
NOTHING = ("partial", ["requests_not_recorded"])
ALL: tuple[str, list[str]] = ("present", [])


def requests(*rows: Row) -> tuple[str, list[str]]:
    """State and reasons of one agent's requests."""
    held = job(agent("a"), *rows).capture["requests"]
    return (held.state, held.reasons)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([chat("m", [user("x")], [says("y")], parent="a")], ALL),  # its words are there
        ([chat("m", None, None, CALLS, parent="a"), RAN, chat("n", None, None, STOPS, parent="a")], ALL),  # it ran
        ([RAN, chat("m", None, None, CALLS, parent="a")], NOTHING),  # it asked, and nothing ran after it
        ([RAN, chat("m", parent="a")], NOTHING),  # it does not even say why it ended
        ([RAN, chat("m", None, None, {"gen_ai.response.finish_reasons": ["odd"]}, parent="a")], NOTHING),
        ([RAN, chat("m", None, None, {"gen_ai.response.finish_reasons": ["length"]}, parent="a")], NOTHING),
        ([RAN, chat("m", parent="a", error="timeout")], ALL),  # it failed, and so asked for nothing
        ([RAN], ALL),  # no model call is recorded at all: what the tools say
    ],
)
def test_a_model_call_is_settled_or_leaves_the_requests_open(rows: list[Row], expected: tuple[str, list[str]]) -> None:
    """By its words, its failure, what ran after it, or a word that means that it stopped."""
    assert requests(*rows) == expected


def test_the_next_call_was_given_the_answers() -> None:
    """What was asked for stands in the history of the call that follows, with what became of it."""
    history = [user("x"), asks(("c2", "pay", {})), told("c2", "refused")]
    silent = chat("m", [user("x")], None, CALLS, parent="a")
    assert requests(RAN, silent, chat("n", history, [says("No.")], parent="a")) == ALL
    assert requests(RAN, silent, chat("n", [user("x")], [says("No.")], parent="a")) == NOTHING


def test_a_word_that_does_not_mean_it_proves_nothing() -> None:
    """Some APIs stop with calls and without: one such stop in a job spoils the others, and Gemini's never count."""
    stops = [chat("m", None, None, STOPS, parent="a"), RAN, chat("n", None, None, STOPS, parent="a")]
    assert requests(*stops) == NOTHING
    gemini = {**STOPS, "gen_ai.provider.name": "gcp.gemini"}
    assert requests(RAN, chat("m", None, None, STOPS, parent="a")) == ALL
    assert requests(RAN, chat("m", None, None, gemini, parent="a")) == NOTHING


def test_a_promise_that_all_requests_run_counts() -> None:
    """Google ADK runs whatever its models ask for: its tool spans tell of every request."""
    own = {"scope": "gcp.vertex.agent", "parent": "a"}
    ran = tool("t", "look", "c1", {}, "ok", **own)
    root = job(agent("a", scope="gcp.vertex.agent"), ran, chat("m", None, None, STOPS, **own))
    assert root.capture["requests"].state == "present"


def test_without_any_evidence_they_are_absent() -> None:
    """Neither words nor a tool's span: nothing is known of them."""
    assert requests(chat("m", parent="a")) == ("absent", ["requests_not_recorded"])


def handed_over(made: list[Any] | None) -> Job:
    """A workflow in which one agent hands over to another."""

    def traced(span_id: str, name: str, kind: str, parent: str | None, **held: Any) -> Row:
        scope = "openinference.instrumentation.openai_agents"
        return row(span_id, {"openinference.span.kind": kind, **held}, name=name, parent=parent, scope=scope)

    return job(
        traced("w", "Agent workflow", "AGENT", None),
        traced("a", "triage", "AGENT", "w", **{"graph.node.id": "triage"}),
        chat("m", [user("refund")], made, parent="a"),
        traced("h", "handoff to refunds", "TOOL", "a", **{"input.value": "triage", "output.value": "refunds"}),
        traced("b", "refunds", "AGENT", "w", **{"graph.node.id": "refunds"}),
        chat("n", [user("refund")], [says("Done.")], parent="b"),
    )


def test_a_handoff_whose_call_is_not_known_leaves_the_calls_open_too() -> None:
    """Something ran whose name is not recorded; that there is a child is known all the same."""
    root = handed_over(None)
    assert [child.via for child in root.jobs] == ["handoff"]
    assert (root.capture["tools"].state, root.capture["tools"].reasons) == NOTHING
    assert root.capture["children"].state == "present"
    assert handed_over([asks(("c1", "transfer_to_refunds", {}))]).capture["tools"].state == "present"


def test_a_loop_that_ends_with_an_unknown_request_may_go_on_elsewhere() -> None:
    """What it asked for is not seen to have run: its lists may lack something, and how it ended is unknown."""
    root = job(agent("a"), RAN, chat("m", None, None, CALLS, parent="a"))
    assert root.status == "unknown"
    assert (root.capture["tools"].state, root.capture["tools"].reasons) == NOTHING
    assert (root.capture["model_calls"].state, root.capture["model_calls"].reasons) == NOTHING


def test_a_declaration_of_tools_is_enough_where_no_model_call_is_recorded() -> None:
    """Without model calls `tools` promises all; where there are some, `requests` is a promise of its own."""
    declares = {"tracegrade.capture": ["tools"]}
    assert job(agent("a", "a", declares)).capture["requests"].state == "present"
    silent = chat("m", parent="a")
    assert job(agent("a", "a", declares), silent).capture["requests"].state != "present"
    both = {"tracegrade.capture": ["tools", "requests"]}
    assert job(agent("a", "a", both), silent).capture["requests"].state == "present"
