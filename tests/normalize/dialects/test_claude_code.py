"""Claude Code: structure on spans, content in logs, sub-agents without a span."""

from typing import Any

import pytest

from tests.normalize.spans import Row, event, job, log, row, runs, seen

SCOPE = "com.anthropic.claude_code.tracing"


def span(span_id: str, kind: str, more: dict[str, Any] | None = None, /, **fields: Any) -> Row:
    """A span of one kind."""
    return row(span_id, {"span.type": kind, **(more or {})}, scope=SCOPE, name=f"claude_code.{kind}", **fields)


def call(span_id: str, tool: str, call_id: str, more: dict[str, Any] | None = None, /, **fields: Any) -> Row:
    """A tool call's span."""
    held = {"tool_name": tool, "tool_use_id": call_id, "gen_ai.tool.name": tool.rsplit("__", 1)[-1], **(more or {})}
    return span(span_id, "tool", held, **fields)


def test_kinds_are_roles() -> None:
    """With the prefix that some versions write, and without."""
    assert seen(span("s", "interaction")).role == "job"
    assert seen(span("s", "claude_code.llm_request")).role == "model"
    assert seen(span("s", "hook")).role == "guardrail"


def test_logs_hold_what_went_in_and_what_came_out() -> None:
    """The prompt and the last answer, by their sequence, whatever order they arrived in."""
    root = job(
        span("i", "interaction", {"user_prompt": "<REDACTED>"}),
        told_by=[
            log("i", "assistant_response", attributes={"event.sequence": "9", "response": "Done."}),
            log("i", "assistant_response", attributes={"event.sequence": "3", "response": "Looking."}),
            log("i", "user_prompt", attributes={"event.sequence": "1", "prompt": "refund"}),
        ],
    )
    assert (root.input, root.reply) == ("refund", "Done.")


def test_a_call_is_put_together_by_its_id() -> None:
    """Name and place from its span, arguments from a log on another span, result from an event: one call."""
    held = {"tool_use_id": "toolu_1", "tool_name": "mcp_tool", "tool_input": '{"id": 7}', "success": "true"}
    root = job(
        span("i", "interaction"),
        call("c", "mcp__shop__look", "toolu_1", parent="i", events=[event("tool.output", {"output": '{"ok": true}'})]),
        span("x", "tool.execution", {"tool_use_id": "toolu_1"}, parent="c"),
        told_by=[log("i", "tool_result", attributes=held)],
    )
    (one,) = root.tool_calls
    assert (one.name, one.arguments, one.result, one.state) == ("mcp__shop__look", {"id": 7}, {"ok": True}, "succeeded")


def test_a_failed_execution_fails_the_call() -> None:
    """Though the call's own span ended well."""
    root = job(
        span("i", "interaction"),
        call("c", "Bash", "toolu_1", parent="i"),
        span("x", "tool.execution", {"tool_use_id": "toolu_1", "error": "no"}, parent="c", error="no"),
    )
    assert (root.tool_calls[0].state, root.tool_calls[0].error) == ("failed", "no")


def test_a_refusal_denies_the_call() -> None:
    """By a person; the made-up failed result counts for nothing."""
    root = job(
        span("i", "interaction"),
        call("c", "Bash", "toolu_1", parent="i"),
        span("b", "tool.blocked_on_user", {"decision": "reject", "source": "user_reject"}, parent="c"),
        told_by=[log("i", "tool_result", attributes={"tool_use_id": "toolu_1", "success": "false"})],
    )
    assert root.tool_calls[0].state == "denied"
    assert [(a.tool, a.decision, a.source) for a in root.approvals] == [("Bash", "reject", "human")]


def test_a_sub_agent_is_a_job_of_its_own() -> None:
    """Its id on the spans of what it did makes it a child, named by the call that started it."""
    root = job(
        span("i", "interaction"),
        call("c", "Agent", "toolu_1", {"subagent_type": "researcher"}, parent="i"),
        span("x", "tool.execution", {"tool_use_id": "toolu_1"}, parent="c"),
        span("m", "llm_request", {"agent_id": "a9"}, parent="x"),
        call("d", "Read", "toolu_2", {"agent_id": "a9"}, parent="x"),
        span("n", "llm_request", parent="i"),
    )
    (child,) = root.jobs
    assert (child.agent, [one.name for one in child.tool_calls], len(child.model_calls)) == ("researcher", ["Read"], 1)
    assert ([one.name for one in root.tool_calls], len(root.model_calls)) == (["Agent"], 1)


def test_a_notification_is_nobodys_words() -> None:
    """The end of a sub-agent that went on alone is reported in an interaction of its own: the same run, resumed."""
    note = "<task-notification>\n<tool-use-id>toolu_1</tool-use-id>\n<status>completed</status>"
    (run,) = runs(
        span("i", "interaction", {"user_prompt": "refund", "gen_ai.conversation.id": "s"}),
        call("c", "Agent", "toolu_1", {"subagent_type": "researcher"}, parent="i"),
        span("j", "interaction", {"user_prompt": note, "gen_ai.conversation.id": "s"}, trace="t2"),
    )
    assert (run.root.input, [member.reason for member in run.members]) == ("refund", ["root", "resumed"])


@pytest.mark.parametrize(
    ("begins", "reported", "state"), [(5, False, "partial"), (5, True, "present"), (2, False, "present")]
)
def test_work_that_went_on_alone_is_reported_or_a_turn_is_missing(begins: int, reported: bool, state: str) -> None:
    """Only where it began after the call had returned: else the call itself is the report."""
    note = "<task-notification>\n<tool-use-id>toolu_1</tool-use-id>\n<status>completed</status>"
    turns = (
        [span("j", "interaction", {"user_prompt": note, "gen_ai.conversation.id": "s"}, trace="t2")] if reported else []
    )
    (run,) = runs(
        span("i", "interaction", {"user_prompt": "refund", "gen_ai.conversation.id": "s"}),
        call("c", "Agent", "toolu_1", {"subagent_type": "researcher"}, parent="i", start=1, end=4),
        span("m", "llm_request", {"agent_id": "a1"}, parent="c", start=begins, end=begins + 1),
        *turns,
    )
    assert run.root.capture["model_calls"].state == state
    assert ("end_unreported" in run.root.capture["model_calls"].reasons) is (state == "partial")


def test_a_skill_that_was_read_is_named() -> None:
    """By the attribute of its call."""
    root = job(span("i", "interaction"), call("c", "Skill", "toolu_1", {"skill_name": "refunds"}, parent="i"))
    assert [skill.name for skill in root.skills] == ["refunds"]


def test_detailed_tracing_puts_content_under_headings() -> None:
    """The heading line is no part of it."""
    held = {"tool_input": '[TOOL INPUT: Read]\n{"p": 1}', "new_context": "[TOOL RESULT: Read]\nwords"}
    said = seen(call("c", "Read", "toolu_1", held))
    assert said.arguments is not None
    assert said.result is not None
    assert (said.arguments.value, said.result.value) == ({"p": 1}, "words")
