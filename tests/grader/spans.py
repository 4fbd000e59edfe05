"""OTLP bodies of small agents, by the GenAI conventions, written with the protocol's own messages."""

import json
import time
from dataclasses import dataclass, field
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span

SECOND = 1_000_000_000


@dataclass
class Trace:
    """One trace that grows by the spans that are asked for."""

    number: int
    service: str = "support-agent"
    start: int = field(default_factory=lambda: time.time_ns() - 60 * SECOND)
    request: ExportTraceServiceRequest = field(default_factory=ExportTraceServiceRequest)

    def __post_init__(self) -> None:
        resource = self.request.resource_spans.add()
        resource.resource.attributes.append(_pair("service.name", self.service))
        self.scope = resource.scope_spans.add()

    @property
    def id(self) -> bytes:
        """The trace id."""
        return self.number.to_bytes(16, "big")

    def agent(self, span: int, name: str, at: float = 0, seconds: float = 30, **more: Any) -> None:
        """An agent's span with its input and reply."""
        said = {"reply": "done", "asked": "hello"} | {k: more.pop(k) for k in ("reply", "asked") if k in more}
        messages = {
            "gen_ai.input.messages": [{"role": "user", "parts": [{"type": "text", "content": said["asked"]}]}],
            "gen_ai.output.messages": [
                {"role": "assistant", "parts": [{"type": "text", "content": said["reply"]}], "finish_reason": "stop"}
            ],
        }
        attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name}
        attributes |= {k: json.dumps(v) for k, v in messages.items()}
        self._span(span, f"invoke_agent {name}", at, seconds, attributes, **more)

    def tool(self, span: int, parent: int, name: str, arguments: Any, result: Any, at: float = 1) -> None:
        """An executed tool call."""
        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.call.id": f"call_{self.number}_{span}",
            "gen_ai.tool.call.arguments": json.dumps(arguments),
            "gen_ai.tool.call.result": json.dumps(result),
        }
        self._span(span, f"execute_tool {name}", at, 1, attributes, parent=parent)

    def model(self, span: int, parent: int, calls: dict[int, tuple[str, Any]], at: float = 0) -> None:
        """A model call that asks for tools: by the spans that execute them, their names and arguments; none: it answers."""
        asks = [
            {"type": "tool_call", "id": f"call_{self.number}_{tool}", "name": name, "arguments": arguments}
            for tool, (name, arguments) in calls.items()
        ]
        said = {"role": "assistant", "parts": asks or [{"type": "text", "content": "done"}], "finish_reason": "stop"}
        attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": "model",
            "gen_ai.output.messages": json.dumps([said]),
        }
        counts = {"gen_ai.usage.input_tokens": 900, "gen_ai.usage.output_tokens": 80}
        self._span(span, "chat model", at, 1, attributes | counts, parent=parent)

    def body(self) -> bytes:
        """The export request."""
        return self.request.SerializeToString()

    def _span(
        self,
        span: int,
        name: str,
        at: float,
        seconds: float,
        attributes: dict[str, Any],
        *,
        parent: int | None = None,
        link: "tuple[Trace, int] | None" = None,
        extra: dict[str, Any] | None = None,
    ) -> None:
        made: Span = self.scope.spans.add()
        made.trace_id, made.span_id, made.name = self.id, _span_id(self, span), name
        made.start_time_unix_nano = self.start + int(at * SECOND)
        made.end_time_unix_nano = made.start_time_unix_nano + int(seconds * SECOND)
        made.attributes.extend(_pair(k, v) for k, v in (attributes | (extra or {})).items())
        if parent is not None:
            made.parent_span_id = _span_id(self, parent)
        if link is not None:
            made.links.add(trace_id=link[0].id, span_id=_span_id(*link))


def _span_id(trace: Trace, span: int) -> bytes:
    return (trace.number * 1_000 + span).to_bytes(8, "big")


def _pair(key: str, value: Any) -> KeyValue:
    typed = AnyValue(int_value=value) if isinstance(value, int) else AnyValue(string_value=str(value))
    return KeyValue(key=key, value=typed)
