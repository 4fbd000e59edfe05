"""The Anthropic SDK's own spans, and raw requests beside OpenInference's."""

import json

from tests.normalize.spans import asks, chat, runs, says, seen, told, tool, user


def test_a_result_is_the_text_of_its_blocks() -> None:
    """Decoded where it is JSON."""
    held = {"anthropic.tool_result.content": json.dumps([{"type": "text", "text": '{"ok": 1}'}])}
    said = seen(tool("s", "look", "toolu_9f3a7c21", None, None, held, scope="com.anthropic.sdk.python"))
    assert said.result is not None
    assert said.result.value == {"ok": 1}


def test_the_stop_reason_is_folded() -> None:
    """To the word of the conventions."""
    said = seen(chat("s", None, None, {"anthropic.message.stop_reason": "tool_use"}, scope="com.anthropic.sdk.python"))
    assert said.finish is not None
    assert said.finish.value == "tool_call"


def test_a_failed_result_is_marked_in_the_raw_request() -> None:
    """The flag that the instrumentation's own attributes drop."""
    block = {"type": "tool_result", "tool_use_id": "toolu_9f3a7c21", "content": "no", "is_error": True}
    request = {"messages": [{"role": "user", "content": [block]}]}
    scope = "openinference.instrumentation.anthropic"
    begun = [user("hi"), asks(("toolu_9f3a7c21", "look", {}))]
    (run,) = runs(
        chat("m", begun[:1], begun[1:], trace="t1", scope=scope),
        chat(
            "n",
            [*begun, told("toolu_9f3a7c21", "no")],
            [says("Sorry.")],
            {"input.value": json.dumps(request)},
            trace="t2",
            scope=scope,
        ),
    )
    assert [call.state for call in run.root.tool_calls] == ["failed"]
