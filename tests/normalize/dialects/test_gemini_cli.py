"""Gemini CLI: a span for each operation."""

import json
from typing import Any

from tests.normalize.spans import Row, job, log, row, seen


def span(span_id: str, operation: str, given: Any = None, made: Any = None, /, **fields: Any) -> Row:
    """A span of one operation, its agent's name the program's as always."""
    held = {"gen_ai.operation.name": operation, "gen_ai.agent.name": "gemini-cli"}
    for key, value in (("gen_ai.input.messages", given), ("gen_ai.output.messages", made)):
        if value is not None:
            held[key] = value if isinstance(value, str) else json.dumps(value)
    return row(span_id, held, scope="gemini-cli", **fields)


def test_the_program_is_no_agent() -> None:
    """Its name stands on every span."""
    said = seen(span("s", "user_prompt"))
    assert (said.role, said.agent) == ("job", None)


def test_a_request_is_read_as_a_call() -> None:
    """Its id, name and arguments stand in the attribute for messages."""
    said = seen(span("s", "tool_call", {"callId": "c1", "name": "look", "args": {"id": 7}}, {"ok": 1}))
    assert said.arguments is not None
    assert said.result is not None
    assert (said.arguments.value, said.result.value) == ({"id": 7}, {"ok": 1})


def test_a_cut_off_request_is_not_empty() -> None:
    """10,000 characters and no end: unreadable, never "no arguments"."""
    said = seen(span("s", "tool_call", '{"callId": "c1", "args": {"id": "aaa'))
    assert said.arguments is not None
    assert said.arguments.state == "malformed"


def test_the_log_tells_the_decision() -> None:
    """A change by the person is an edit."""
    held = {"function_name": "look", "decision": "modify", "success": True, "call_id": "c1"}
    root = job(
        span("p", "user_prompt"),
        span("t", "tool_call", {"callId": "c1", "name": "look", "args": {}}, {"ok": 1}, parent="p"),
        told_by=[log("t", "gemini_cli.tool_call", attributes=held)],
    )
    assert [(a.tool, a.decision, a.source) for a in root.approvals] == [("look", "edit", "human")]
