"""The Python marks, through a real exporter, in the tree of the run."""

import json

from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from collector import mark
from tests.conftest import Collector, Command


def test_python_marks_arrive(tracegrade: Command, collector: Collector) -> None:
    """Case, suite, batch, constraints, context and approvals that the helper sets stand in the run's tree."""
    provider = TracerProvider()
    provider.add_span_processor(mark.MarkSpans())
    exporter = OTLPSpanExporter(endpoint=f"http://127.0.0.1:{collector.grpc}", insecure=True)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    tracer = provider.get_tracer("test")
    with mark.case("asks first", suite="refunds", batch="nightly-7"), tracer.start_as_current_span("run") as span:
        span.set_attributes({"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "support"})
        mark.set_constraints(["EU only"])
        mark.set_context({"tier": "gold"})
        mark.record_approval("payments.refund", "pending", call_id="call_1")
        mark.record_approval("payments.refund", "edit", call_id="call_1", arguments={"amount": 40}, reason="too much")
    provider.shutdown()
    (row,) = [json.loads(line) for line in tracegrade("runs", "--json").stdout.splitlines()]
    run = json.loads(tracegrade("show", row["run_id"], "--json").stdout)
    assert (run["case"], run["suite"], run["batch"]) == ("asks first", "refunds", "nightly-7")
    assert (run["job"]["constraints"], run["job"]["context"]) == (["EU only"], {"tier": "gold"})
    (approval,) = run["job"]["approvals"]
    assert (approval["tool"], approval["decision"], approval["source"]) == ("payments.refund", "edit", "human")
    assert approval["reason"] == "too much"
