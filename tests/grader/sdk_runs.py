"""Runs written in a short form, as an agent instrumented with the OpenTelemetry SDK would record them.

The short form is a mapping: `agent`, `input`, `reply` (a value that is no text stands as JSON), `status`, `error`, `seconds`,
`attributes` (of its span), `calls` (names, or mappings with `tool`, `arguments`, `result`, `error`, `approvals`, and `job`, the
job that the call ran), `models` (what each model call cost, in dollars), `skills`, `constraints`, `approvals` (mappings, see
`_decide`), and `lost` (kinds of evidence that are not recorded in full; of all others the run says that they are).
"""

import json
import time
from typing import Any

from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Span, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Status, StatusCode, set_span_in_context

from collector.tree import CAPTURE_KINDS

SECOND = 1_000_000_000


class Recorder:
    """An SDK with a processor that keeps what has ended; times are an hour ago, in the order of the short form."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        provider = TracerProvider(resource=Resource({"service.name": "support-agent"}))
        provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.tracer = provider.get_tracer("an.agent")
        self.now = time.time_ns() - 3600 * SECOND

    def body(self) -> bytes:
        """The export request with all that was recorded."""
        return encode_spans(self.exporter.get_finished_spans()).SerializeToString()

    def run(self, name: str, case: str, facts: dict[str, Any]) -> None:
        """A run of that name, which says that it answers the case."""
        self._job({"agent": "support"} | facts, None, {"tracegrade.job.id": name, "test.case.name": case})

    def _job(self, facts: dict[str, Any], parent: Span | None, more: dict[str, Any]) -> None:
        agent = facts["agent"]
        known = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": agent,
            "tracegrade.capture": [kind for kind in CAPTURE_KINDS if kind not in facts.get("lost", ())],
            "gen_ai.input.messages": _messages("user", facts.get("input", "hello")),
        }
        if "constraints" in facts:
            known["tracegrade.job.constraints"] = json.dumps(facts["constraints"])
        if facts.get("status") not in (None, "failed"):
            known["tracegrade.job.status"] = facts["status"]
        if "reply" not in facts.get("lost", ()):
            known["gen_ai.output.messages"] = _messages("assistant", facts.get("reply", "done"))
        began = self.now
        span = self._begin(f"invoke_agent {agent}", parent, known | more | facts.get("attributes", {}))
        for cost in facts.get("models", ()):
            self._model(span, cost)
        for skill in facts.get("skills", ()):
            self._begin("read_skill", span, {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "oz.skill",
                                             "gen_ai.skill.name": skill}).end(self._tick())  # fmt: skip
        for call in facts.get("calls", ()):
            self._call(span, {"tool": call} if isinstance(call, str) else call)
        for approval in facts.get("approvals", ()):
            self._decide(span, approval)
        if facts.get("status") == "failed":
            span.set_status(Status(StatusCode.ERROR, facts.get("error", "it broke")))
        span.end(began + int(facts["seconds"] * SECOND) if "seconds" in facts else self._tick())

    def _call(self, job: Span, call: dict[str, Any]) -> None:
        known = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": call["tool"],
            "gen_ai.tool.call.id": f"call-{self.now}",
            "gen_ai.tool.call.arguments": json.dumps(call.get("arguments", {})),
        }
        if "error" not in call:
            known["gen_ai.tool.call.result"] = json.dumps(call.get("result", "ok"))
        span = self._begin(f"execute_tool {call['tool']}", job, known)
        if "job" in call:
            self._job(call["job"], span, {})
        for approval in call.get("approvals", ()):
            self._decide(span, {"tool": call["tool"], "id": known["gen_ai.tool.call.id"]} | approval)
        if "error" in call:
            span.set_status(Status(StatusCode.ERROR, call["error"]))
        span.end(self._tick())

    def _model(self, job: Span, cost: float) -> None:
        known = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "a provider",
            "gen_ai.request.model": "a model",
            "gen_ai.output.messages": _messages("assistant", "thinking"),
            "gen_ai.usage.input_tokens": 10,
            "gen_ai.usage.output_tokens": 5,
            "gen_ai.usage.cost": cost,
        }
        self._begin("chat a model", job, known).end(self._tick())

    def _decide(self, span: Span, approval: dict[str, Any]) -> None:
        """An approval: `tool`, `kind`, the arguments `shown`, the `decision`, its `source`, and the arguments `changed` to."""
        known = {f"tracegrade.approval.{key}": approval[key] for key in ("kind",) if key in approval}
        known |= {"gen_ai.tool.name": approval["tool"]} if "tool" in approval else {}
        known["gen_ai.tool.call.id"] = approval.get("id", f"approval-{self.now}")
        shown, changed = approval.get("shown", {}), approval.get("changed", approval.get("shown", {}))
        for decision, arguments in (("pending", shown), (approval["decision"], changed)):
            told = {"decision": decision, "source": approval.get("source", "human"), "arguments": json.dumps(arguments)}
            event = known | {f"tracegrade.approval.{key}": value for key, value in told.items()}
            span.add_event("tracegrade.approval", event, self._tick())

    def _begin(self, name: str, parent: Span | None, attributes: dict[str, Any]) -> Span:
        context = set_span_in_context(parent) if parent is not None else None
        span: Any = self.tracer.start_span(name, context, attributes=attributes, start_time=self._tick())
        return span

    def _tick(self) -> int:
        self.now += SECOND // 10
        return self.now


def _messages(role: str, value: Any) -> str:
    words = value if isinstance(value, str) else json.dumps(value)
    message = {"role": role, "parts": [{"type": "text", "content": words}], "finish_reason": "stop"}
    return json.dumps([message])
