"""Semantic Kernel: the conventions under other names."""

from tests.normalize.spans import log, row, seen, tool

SCOPE = "semantic_kernel.utils.telemetry"


def test_chat_completions_are_model_calls() -> None:
    """Operations have names of their own, and so had token counts."""
    held = {"gen_ai.operation.name": "chat.completions", "gen_ai.response.prompt_tokens": 7}
    said = seen(row("m", held, name="chat.completions gpt", scope=SCOPE))
    assert said.role == "model"
    assert said.input_tokens is not None
    assert said.input_tokens.value == 7


def test_the_loop_around_tools_is_a_step() -> None:
    """`AutoFunctionInvocationLoop` calls nothing itself."""
    assert seen(row("l", {"gen_ai.tool.name": "x"}, name="AutoFunctionInvocationLoop", scope=SCOPE)).role == "step"


def test_content_comes_as_logs_with_json_text() -> None:
    """The body of a message's log is the message, as text."""
    said = seen(
        row("m", {"gen_ai.operation.name": "chat.completions"}, name="chat.completions gpt", scope=SCOPE),
        told_by=[log("m", "gen_ai.user.message", '{"role": "user", "content": "refund it"}')],
    )
    assert [message.text() for message in said.messages_in or ()] == ["refund it"]


def test_a_tools_name_is_qualified_by_its_plugin() -> None:
    """The span's name of the tool stays, and is the qualified one."""
    said = seen(tool("x", "Orders-look", "c1", scope=SCOPE))
    assert said.qualified is not None
    assert said.qualified.value == "Orders-look"
