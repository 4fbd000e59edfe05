"""Laminar: decorated functions in `lmnr.span.*`."""

import json
from typing import Any

from tests.normalize.spans import Row, row, run


def span(span_id: str, kind: str, name: str, given: Any, made: Any, **fields: Any) -> Row:
    """A decorated function's span."""
    held = {"lmnr.span.type": kind, "lmnr.span.input": json.dumps(given), "lmnr.span.output": json.dumps(made)}
    return row(span_id, held, name=name, scope="lmnr.tracer", **fields)


def test_decorated_functions() -> None:
    """A function around model and tool calls: its only argument is the question, what it returns the reply."""
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"id": "A"}'}}
    root = run(
        span("a", "DEFAULT", "handle", {"question": "Hi"}, "Bye."),
        span(
            "m",
            "LLM",
            "chat",
            [{"role": "user", "content": "Hi"}],
            [{"role": "assistant", "tool_calls": [call]}],
            parent="a",
        ),
        span("x", "TOOL", "look", {"id": "A"}, {"total": 5}, parent="a"),
    ).root
    assert (root.agent, root.input, root.reply, root.synthetic) == (None, "Hi", "Bye.", True)
    assert [(c.call_id, c.arguments, c.result, c.state) for c in root.tool_calls] == [
        ("c1", {"id": "A"}, {"total": 5}, "succeeded")
    ]
