"""Strands Agents: content in span events, in Bedrock's shape."""

import json

from tests.normalize.spans import Row, agent, event, job, row, seen

SCOPE = "strands.telemetry.tracer"


def tool(*events: tuple[str, dict[str, str]], **more: str) -> Row:
    """A tool's span with events."""
    held = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look", "gen_ai.tool.call.id": "c1", **more}
    return row("x", held, scope=SCOPE, events=[event(*one) for one in events])


def test_arguments_and_result_stand_in_events() -> None:
    """The tool message holds the arguments, the choice the result, in blocks of text."""
    said = seen(
        tool(
            ("gen_ai.tool.message", {"role": "tool", "content": '{"order_id": "A"}', "id": "c1"}),
            ("gen_ai.choice", {"message": json.dumps([{"text": '{"total": 5}'}]), "id": "c1"}),
        )
    )
    assert said.arguments is not None
    assert said.arguments.value == {"order_id": "A"}
    assert said.result is not None
    assert said.result.value == {"total": 5}


def test_a_result_may_be_python_or_json_within_a_block() -> None:
    """Version 0.2 writes `str` of a dict; a block may hold JSON itself; a plain text stays one."""
    for blocks, value in (
        ([{"text": "{'total': 5.0}"}], {"total": 5.0}),
        ([{"json": {"total": 5}}], {"total": 5}),
        ([{"text": "18C"}], "18C"),
    ):
        said = seen(tool(("gen_ai.choice", {"message": json.dumps(blocks)})))
        assert said.result is not None
        assert said.result.value == value


def test_a_failure_may_stand_in_the_tools_status_alone() -> None:
    """`tool.status` says error where the span's status says OK."""
    assert seen(tool(**{"tool.status": "error"})).tool_failed
    assert seen(tool(**{"gen_ai.tool.status": "error"})).tool_failed
    assert not seen(tool(**{"gen_ai.tool.status": "success"})).tool_failed


def asked_and_said(*events: tuple[str, dict[str, str]]) -> Row:
    """An agent's span with events."""
    return agent("a", scope=SCOPE, events=[event(*one) for one in events])


def test_an_agents_words_stand_in_events() -> None:
    """What it was asked is in blocks or plain; its reply is text with a line feed that nobody said."""
    for asked in ("Hi", '[{"text": "Hi"}]'):
        made = job(
            asked_and_said(
                ("gen_ai.user.message", {"content": asked}),
                ("gen_ai.choice", {"message": "Done.\n", "finish_reason": "end_turn"}),
            )
        )
        assert (made.input, made.reply, made.status) == ("Hi", "Done.", "completed")


def test_json_that_a_person_wrote_is_their_words() -> None:
    """A message that is JSON, and no list of blocks, is text."""
    made = job(asked_and_said(("gen_ai.user.message", {"content": '{"order": 1}'})))
    assert made.input == '{"order": 1}'


def test_an_interrupted_run_waits() -> None:
    """A run that stopped for an interrupt waits for a decision and has no reply."""
    made = job(asked_and_said(("gen_ai.choice", {"message": "", "finish_reason": "interrupt"})))
    assert (made.status, made.reply) == ("awaiting_approval", None)


def test_a_swarm_hands_over_by_a_tool() -> None:
    """`handoff_to_agent` passes control; the swarm is a job of its own, and its reply that of the last agent."""
    root = job(
        row(
            "s",
            {"gen_ai.operation.name": "invoke_swarm"},
            scope=SCOPE,
            events=[event("gen_ai.user.message", {"content": "Go"})],
        ),
        agent("a", "one", {}, parent="s", scope=SCOPE, events=[event("gen_ai.choice", {"message": "I gave it away."})]),
        row(
            "x",
            {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "handoff_to_agent",
                "gen_ai.tool.call.id": "c1",
            },
            parent="a",
            scope=SCOPE,
            events=[event("gen_ai.tool.message", {"content": '{"agent_name": "two", "message": "take it"}'})],
        ),
        agent("b", "two", {}, parent="s", scope=SCOPE, events=[event("gen_ai.choice", {"message": "Done.\n"})]),
    )
    assert (root.agent, root.input, root.reply) == (None, "Go", "Done.")
    assert [(j.agent, j.via) for j in root.walk()][1:] == [("one", "agent"), ("two", "handoff")]


def test_a_cycle_is_a_step_in_every_version() -> None:
    """Version 0.2 names no operations: a span with a cycle id is a step."""
    assert seen(row("s", {"event_loop.cycle_id": "1"}, name="Cycle 1", scope=SCOPE)).role == "step"
