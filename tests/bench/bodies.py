"""Export requests as an agent's exporter sends them: runs of 16 spans of about 1.4 KB, all ids different."""

import json
import random
from collections.abc import Iterator

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span

RUN = 16
"""Spans of one run: the agent, and then model calls and tool calls by turns."""

BEGIN = 1_790_000_000_000_000_000
FILLING = "The customer says that the parcel arrived broken and asks for the money back. "


def requests(spans: int, spans_a_request: int, seed: int = 1) -> Iterator[bytes]:
    """Bodies of ExportTraceServiceRequest that hold this many spans together."""
    made = _spans(random.Random(seed))
    while spans > 0:
        request = ExportTraceServiceRequest()
        resource = request.resource_spans.add()
        resource.resource.attributes.append(_attribute("service.name", "bench-agent"))
        scope = resource.scope_spans.add()
        scope.scope.name = "bench"
        scope.spans.extend(next(made) for _ in range(min(spans, spans_a_request)))
        spans -= spans_a_request
        yield request.SerializeToString()


def _spans(draw: random.Random) -> Iterator[Span]:
    number = 0
    while True:
        trace, root = draw.randbytes(16), draw.randbytes(8)
        start = BEGIN + number * 1_000_000_000
        question = f"Refund order A-{number}, it arrived broken"
        for position in range(1, RUN):
            call = f"call_{number}_{position // 2}"
            facts = _chat(call, question) if position % 2 else _tool(call, number)
            yield _span(trace, draw.randbytes(8), root, start + position * 1_000_000, facts)
        yield _span(trace, root, b"", start, _agent(question))
        number += 1


def _span(trace: bytes, span: bytes, parent: bytes, start: int, facts: dict[str, str | int]) -> Span:
    return Span(
        trace_id=trace,
        span_id=span,
        parent_span_id=parent,
        name=f"{facts['gen_ai.operation.name']} {facts.get('gen_ai.tool.name', 'support')}",
        start_time_unix_nano=start,
        end_time_unix_nano=start + 900_000,
        attributes=[_attribute(key, value) for key, value in facts.items()],
    )


def _agent(question: str) -> dict[str, str | int]:
    return {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "support",
        "gen_ai.input.messages": _message("user", {"type": "text", "content": question}),
        "gen_ai.output.messages": _message("assistant", {"type": "text", "content": FILLING * 10}),
    }


def _chat(call: str, question: str) -> dict[str, str | int]:
    asked = {"type": "tool_call", "id": call, "name": "lookup", "arguments": {"order_id": "A-1"}}
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m-1",
        "gen_ai.response.model": "m-1",
        "gen_ai.usage.input_tokens": 900,
        "gen_ai.usage.output_tokens": 40,
        "gen_ai.input.messages": _message("user", {"type": "text", "content": question + FILLING * 10}),
        "gen_ai.output.messages": _message("assistant", asked),
    }


def _tool(call: str, number: int) -> dict[str, str | int]:
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "lookup",
        "gen_ai.tool.call.id": call,
        "gen_ai.tool.call.arguments": json.dumps({"order_id": f"A-{number}"}),
        "gen_ai.tool.call.result": json.dumps({"order_id": f"A-{number}", "notes": FILLING * 15}),
    }


def _message(role: str, part: dict[str, object]) -> str:
    return json.dumps([{"role": role, "parts": [part]}])


def _attribute(key: str, value: str | int) -> KeyValue:
    held = AnyValue(int_value=value) if isinstance(value, int) else AnyValue(string_value=value)
    return KeyValue(key=key, value=held)
