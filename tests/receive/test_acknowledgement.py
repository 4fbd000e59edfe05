"""No export is answered before its rows are visible to another connection (C-11)."""

import http.client
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

import grpc
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from collector import connect
from tests.decode.samples import json_of, request, span
from tests.receive.collecting import There, collecting

CONNECTIONS, REQUESTS = 8, 15


class Ways:
    """One client's connections: HTTP and gRPC."""

    def __init__(self, there: There) -> None:
        self._http = http.client.HTTPConnection("127.0.0.1", there.http, timeout=30)
        self._channel = grpc.insecure_channel(f"127.0.0.1:{there.grpc}")
        self._export = self._channel.unary_unary("/opentelemetry.proto.collector.trace.v1.TraceService/Export")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()
        self._channel.close()

    def _post(self, kind: str, body: bytes) -> None:
        self._http.request("POST", "/v1/traces", body, {"Content-Type": kind})
        answer = self._http.getresponse()
        assert answer.status == 200, answer.read()
        answer.read()

    def send(self, number: int, sent: ExportTraceServiceRequest) -> None:
        """Send by one of the ways in turn; returns when it is acknowledged."""
        match number % 3:
            case 0:
                self._post("application/x-protobuf", sent.SerializeToString())
            case 1:
                self._post("application/json", json_of(sent))
            case _:
                self._export(sent.SerializeToString(), timeout=30)


def _hammer(there: There, path: Path, connection: int) -> list[int]:
    """Send, and look right after each answer; how many of the request's rows were there each time."""
    seen = []
    with connect(path) as store, Ways(there) as ways:
        for number in range(REQUESTS):
            trace = connection.to_bytes(8, "big") + (number + 1).to_bytes(8, "big")
            ways.send(number, request(*(span(trace_id=trace, span_id=bytes([place + 1] * 8)) for place in range(3))))
            seen.append(store.query("trace_spans", trace_id=trace.hex()).num_rows)
    return seen


@pytest.mark.slow
def test_what_is_acknowledged_is_visible(tmp_path: Path):
    """From many connections at once, over every transport, each answer comes after its rows."""
    path = tmp_path / "store.duckdb"
    with collecting(path) as there, ThreadPoolExecutor(CONNECTIONS) as pool:
        seen = list(pool.map(lambda connection: _hammer(there, path, connection), range(1, CONNECTIONS + 1)))
    assert seen == [[3] * REQUESTS] * CONNECTIONS
