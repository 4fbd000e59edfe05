"""The Anthropic SDK's own spans (scope `com.anthropic.sdk.python`), and what OpenInference's instrumentation of it lacks.

A tool runner's root is a job without an agent's name; its tool spans hold the result under a name of their own. With threads
held by the server the input of a later call is only what is new. That a tool failed is said in the request alone (`is_error`),
which OpenInference keeps raw.
"""

from typing import Any

from collector.normalize.dialect import Dialect, Sighting, either, keys, prefix, scope
from collector.normalize.events import finish
from collector.normalize.reading import Span
from collector.normalize.values import Value, content, result


def _blocks(raw: Any) -> Value | None:
    """A tool result: the text of its blocks."""
    seen = content(raw)
    if seen is None or seen.state != "present" or not isinstance(seen.value, list):
        return seen
    texts = [block.get("text") for block in seen.value if isinstance(block, dict) and block.get("type") == "text"]
    whole = len(texts) == len(seen.value) and all(isinstance(text, str) for text in texts)
    return result("\n".join(str(text) for text in texts)) if whole else seen


def _failed_results(span: Span, said: Sighting) -> None:
    """Mark results that the raw request marks as errors."""
    raw = span.attributes.get("input.value")
    if said.role == "job" or not isinstance(raw, str) or '"is_error"' not in raw:
        return
    request = content(raw)
    messages = request.value.get("messages") if request and isinstance(request.value, dict) else None
    said.failed_results |= {
        block["tool_use_id"]
        for message in (messages if isinstance(messages, list) else ())
        for block in (
            message.get("content") if isinstance(message, dict) and isinstance(message.get("content"), list) else ()
        )
        if isinstance(block, dict) and block.get("is_error") is True and isinstance(block.get("tool_use_id"), str)
    }


DIALECT = Dialect(
    name="anthropic_sdk",
    rank=10,
    claims=either(
        scope("com.anthropic.sdk", "com.anthropic.sdk.python", "openinference.instrumentation.anthropic"),
        prefix("anthropic."),
    ),
    fields={
        "result": keys("anthropic.tool_result.content", read=_blocks),
        "finish": keys("anthropic.message.stop_reason", read=finish),
    },
    proves=frozenset({"model_calls"}),
    quirks=(_failed_results,),
)
