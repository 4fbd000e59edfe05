"""The three exporters of the Python SDK, over real sockets, against a collector in a process of its own."""

from pathlib import Path

import opentelemetry.exporter.otlp.proto.grpc.trace_exporter as grpc_exporter
import opentelemetry.exporter.otlp.proto.http.trace_exporter as http_exporter
import pytest
from opentelemetry.exporter.otlp.json.http.trace_exporter import OTLPSpanExporter as JsonExporter
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Link, Status, StatusCode

from collector import connect
from tests.receive.collecting import There, collecting

EXPORTERS = {
    "grpc": lambda there: grpc_exporter.OTLPSpanExporter(f"http://127.0.0.1:{there.grpc}", insecure=True),
    "protobuf": lambda there: http_exporter.OTLPSpanExporter(
        f"http://127.0.0.1:{there.http}/v1/traces", compression=Compression.Gzip
    ),
    "json": lambda there: JsonExporter(endpoint=f"http://127.0.0.1:{there.http}/v1/traces"),
}

ROWS = """
SELECT * EXCLUDE (commit_seq) REPLACE (start_time::VARCHAR AS start_time, end_time::VARCHAR AS end_time)
FROM spans ORDER BY trace_id, span_id
"""


@pytest.fixture(scope="module")
def spans() -> list[ReadableSpan]:
    """A thousand spans with all that the SDK can put on them."""
    memory = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource.create({"service.name": "shop", "zones": ["a", "b"]}))
    provider.add_span_processor(SimpleSpanProcessor(memory))
    tracer = provider.get_tracer("lib", "1.0", schema_url="https://example.org/schema")
    for number in range(250):
        with tracer.start_as_current_span(
            f"invoke_agent {number}", attributes={"gen_ai.agent.name": "support"}
        ) as root:
            with tracer.start_as_current_span("chat", links=[Link(root.get_span_context(), {"why": "ü"})]) as chat:
                chat.set_attributes({"gen_ai.usage.input_tokens": number, "ratio": 1.0, "big": 2**62, "ok": True})
                chat.set_attribute("gen_ai.response.finish_reasons", ["stop", "length"])
                chat.add_event("choice", {"text": "größer\n", "list": [1.5, 2.0]})
            with tracer.start_as_current_span("execute_tool") as tool:
                tool.set_status(Status(StatusCode.ERROR, "out of stock"))
                tool.record_exception(ValueError("out of stock"))
            with tracer.start_as_current_span("empty"):
                pass
    provider.shutdown()
    return list(memory.get_finished_spans())


def _rows(there: There, sent: list[ReadableSpan], name: str) -> list[dict]:
    exporter = EXPORTERS[name](there)
    for first in range(0, len(sent), 512):
        assert exporter.export(sent[first : first + 512]) is SpanExportResult.SUCCESS
    exporter.shutdown()
    with connect(there.path) as store:
        return store.sql(ROWS, max_rows=10_000).to_pylist()


def test_all_exporters_store_the_same_rows(spans: list[ReadableSpan], tmp_path: Path):
    """gRPC, HTTP/protobuf with gzip and HTTP/JSON deliver the same thousand spans as the same rows."""
    found = {}
    for name in EXPORTERS:
        with collecting(tmp_path / f"{name}.duckdb") as there:
            found[name] = _rows(there, spans, name)
    assert len(found["grpc"]) == 1000
    assert found["grpc"] == found["protobuf"] == found["json"]


def test_delivering_again_changes_nothing(spans: list[ReadableSpan], tmp_path: Path):
    """The same spans by another way are duplicates."""
    with collecting(tmp_path / "store.duckdb") as there:
        first = _rows(there, spans[:100], "grpc")
        assert _rows(there, spans[:100], "json") == first
        assert _rows(there, spans[:100], "protobuf") == first
