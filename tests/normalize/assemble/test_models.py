"""Model calls: one row an inference."""

from typing import Any

from tests.normalize.spans import agent, chat, job, says, tool, user

USAGE = {"gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 2}


def test_a_model_call_knows_model_tokens_and_finish() -> None:
    """What its span says, with None for what it does not."""
    held = {
        **USAGE,
        "gen_ai.response.model": "gpt-5",
        "gen_ai.provider.name": "openai",
        "gen_ai.response.finish_reasons": ["stop"],
    }
    (call,) = job(agent("a"), chat("m", None, None, held, parent="a")).model_calls
    assert (call.model, call.provider, call.finish_reason) == ("gpt-5", "openai", "stop")
    assert (call.input_tokens, call.output_tokens, call.reasoning_tokens, call.cost_usd) == (10, 2, None, None)


def test_an_inference_that_two_spans_tell_of_counts_once() -> None:
    """The outer span (an SDK's wrapper, a proxy) lends what the inner one lacks; tokens are the inner one's."""
    outer = chat("m", [user("x")], [says("y")], {"gen_ai.usage.input_tokens": 99}, parent="a")
    (call,) = job(agent("a"), outer, chat("n", None, None, USAGE, parent="m")).model_calls
    assert (call.input_tokens, call.output_tokens, call.finish_reason, call.spans) == (10, 2, "stop", ["m", "n"])


def test_a_model_call_within_a_tool_within_a_model_call_is_another() -> None:
    """A tool that asks a model itself makes an inference of its own."""
    rows = [chat("m", parent="a"), tool("t", "summarise", "c1", parent="m"), chat("n", parent="t")]
    assert len(job(agent("a"), *rows).model_calls) == 2


def test_two_instrumentors_that_name_one_response_told_of_one_call() -> None:
    """The same response id from different scopes is one inference; from one scope it is two."""
    held: dict[str, Any] = {"gen_ai.response.id": "r1"}
    one, other = chat("m", None, None, held, parent="a", scope="x"), chat("n", None, None, held, parent="a", scope="y")
    assert len(job(agent("a"), one, other).model_calls) == 1
    assert len(job(agent("a"), one, {**other, "scope_name": "x"}).model_calls) == 2


def test_rollups_on_the_agents_span_are_not_read() -> None:
    """An agent's span that sums up its model calls adds nothing."""
    root = job(agent("a", "x", {"gen_ai.usage.input_tokens": 99}), chat("m", None, None, USAGE, parent="a"))
    assert [call.input_tokens for call in root.model_calls] == [10]


def test_a_failed_inference_says_why() -> None:
    """A rate limit is an error of the call, not of the job."""
    root = job(agent("a"), chat("m", parent="a", error="429"), chat("n", [user("x")], [says("y")], parent="a"))
    assert ([call.error for call in root.model_calls], root.status) == (["429", None], "completed")
