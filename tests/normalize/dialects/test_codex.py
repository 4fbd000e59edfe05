"""Codex: logs tell what happened."""

from tests.normalize.spans import job, log, row


def test_a_turn_is_told_by_its_logs() -> None:
    """Prompt, call with arguments and output, and the final answer of the main agent."""
    root = job(
        row("s", {"conversation.id": "c"}, scope="codex_otel", name="turn"),
        told_by=[
            log("s", "codex.user_prompt", attributes={"prompt": "list files"}),
            log(
                "s",
                "codex.tool_result",
                attributes={
                    "call_id": "call_1", "tool_name": "shell", "output": "a.txt", "success": "true",
                    "arguments": '{"cmd": "ls"}',
                },
            ),
            log("s", "codex.agent_response", attributes={"response": "One file.", "agent.type": "main"}),
        ],
    )  # fmt: skip
    (call,) = root.tool_calls
    assert (root.input, root.reply, root.conversation_id) == ("list files", "One file.", "c")
    assert (call.name, call.arguments, call.result, call.state) == ("shell", {"cmd": "ls"}, "a.txt", "succeeded")


def test_a_refused_call_is_denied() -> None:
    """Though its failed result was logged as well."""
    root = job(
        row("s", {}, scope="codex_otel", name="turn"),
        told_by=[
            log("s", "codex.user_prompt", attributes={"prompt": "rm"}),
            log(
                "s", "codex.tool_decision", attributes={"call_id": "call_1", "tool_name": "shell", "decision": "Denied"}
            ),
            log("s", "codex.tool_result", attributes={"call_id": "call_1", "tool_name": "shell", "success": "false"}),
        ],
    )
    assert [(call.name, call.state) for call in root.tool_calls] == [("shell", "denied")]


def test_a_redacted_prompt_is_unreadable() -> None:
    """Its mark is nobody's words."""
    root = job(
        row("s", {}, scope="codex_otel", name="turn"),
        told_by=[log("s", "codex.user_prompt", attributes={"prompt": "[REDACTED]"})],
    )
    assert (root.input, root.capture["input"].state, root.capture["input"].reasons) == (None, "malformed", ["redacted"])
