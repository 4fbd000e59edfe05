"""The demo's example agent: a program of its own that knows OpenTelemetry and nothing of tracegrade but its marks.

A scripted model stands in for a real one. Spans follow the GenAI semantic conventions (1.38 and later): invoke_agent,
chat, execute_tool. Run it as `python -m grader.demo.agent`; OTEL_EXPORTER_OTLP_ENDPOINT says where the spans go.
"""

import itertools
import json
import time
from typing import Any

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from collector.mark import MarkSpans, case, set_constraints
from grader.demo.script import CASES, CONSTRAINTS, TURNS, Call, Turn
from grader.demo.tools import TOOLS

tracer = trace.get_tracer("example-agent")
call_numbers = itertools.count(1)
Message = dict[str, Any]


def main() -> None:
    """Answer each request under the name of its case, and flush the spans before the program ends."""
    provider = TracerProvider(resource=Resource.create({"service.name": "support-agent"}))
    provider.add_span_processor(MarkSpans())
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(insecure=True)))
    trace.set_tracer_provider(provider)
    for name, request in CASES.items():
        with case(name, suite="refunds"):
            print(f"  {request}\n    {run_agent('support_agent', request)}", flush=True)  # noqa: T201 (the program's output)
    provider.shutdown()


def run_agent(agent: str, request: str) -> str:
    """One job: turns of the model, and the tools it asks for, until it answers. Each job carries the constraints."""
    with tracer.start_as_current_span(f"invoke_agent {agent}") as span:
        history = [message("user", {"type": "text", "content": request})]
        span.set_attributes(
            {
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": agent,
                "gen_ai.provider.name": "scripted",
                "gen_ai.input.messages": json.dumps(history),
            }
        )
        set_constraints(CONSTRAINTS)
        for turn in TURNS[agent, request]:
            asked = chat(history, turn)
            for call_id, call in asked.items():
                history.append(message("tool", execute(call_id, call)))
        span.set_attribute("gen_ai.output.messages", json.dumps(history[-1:]))
        return history[-1]["parts"][0]["content"]


def chat(history: list[Message], turn: Turn) -> dict[str, Call]:
    """One inference: put the model's message into the history; the calls that it asks for, by their ids."""
    with tracer.start_as_current_span("chat scripted-1", kind=trace.SpanKind.CLIENT) as span:
        time.sleep(0.005)  # a model takes its time
        asked = {} if isinstance(turn, str) else {f"call_{next(call_numbers)}": call for call in turn}
        parts = [{"type": "tool_call", "id": i, "name": c.tool, "arguments": c.arguments} for i, c in asked.items()]
        said = message("assistant", *(parts or [{"type": "text", "content": turn}]))
        said["finish_reason"] = "tool_call" if asked else "stop"
        span.set_attributes(
            {
                "gen_ai.operation.name": "chat",
                "gen_ai.provider.name": "scripted",
                "gen_ai.request.model": "scripted-1",
                "gen_ai.response.model": "scripted-1",
                "gen_ai.response.finish_reasons": [said["finish_reason"]],
                "gen_ai.usage.input_tokens": len(json.dumps(history)) // 4,
                "gen_ai.usage.output_tokens": len(json.dumps(said)) // 4,
                "gen_ai.input.messages": json.dumps(history),
                "gen_ai.output.messages": json.dumps([said]),
            }
        )
        history.append(said)
    return asked


def execute(call_id: str, call: Call) -> Message:
    """One tool call: what the tool answered, or the error as the model gets to see it."""
    with tracer.start_as_current_span(f"execute_tool {call.tool}") as span:
        span.set_attributes(
            {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": call.tool,
                "gen_ai.tool.type": "function",
                "gen_ai.tool.call.id": call_id,
                "gen_ai.tool.call.arguments": json.dumps(call.arguments),
            }
        )
        try:
            result = run_tool(call)
        except TimeoutError as error:
            span.set_attribute("error.type", "TimeoutError")
            span.record_exception(error)
            span.set_status(trace.StatusCode.ERROR, str(error))
            return {"type": "tool_call_response", "id": call_id, "response": f"error: {error}"}
        span.set_attribute("gen_ai.tool.call.result", json.dumps(result))
        return {"type": "tool_call_response", "id": call_id, "response": result}


def run_tool(call: Call) -> Any:
    """A tool of the shop, or another agent behind a tool."""
    if call.tool == "policy.ask":
        return run_agent("policy_agent", call.arguments["question"])
    return TOOLS[call.tool](**call.arguments)


def message(role: str, *parts: dict[str, Any]) -> Message:
    """A message in the form of the conventions."""
    return {"role": role, "parts": list(parts)}


if __name__ == "__main__":
    main()
