"""What clients send stays out of the log and out of the answers, whatever is wrong with it (C-08, X-09)."""

import gzip
import socket
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.decode.samples import request, span
from tests.receive.served import served

MARK = "SECRET-4111-MARK"
PATHS = ("/v1/traces", "/v1/logs", f"/{MARK}/v1/traces", f"/v1/traces?q={MARK}")
HEADERS = (
    "Content-Type: application/json",
    "Content-Type: application/x-protobuf",
    f"Content-Type: {MARK}",
    "Content-Type: application/json\r\nContent-Encoding: gzip",
    f"Content-Type: application/json\r\nContent-Encoding: {MARK}",
    f"Content-Type: application/json\r\nAuthorization: Bearer {MARK}",
    f"Content-Type: application/json\r\nHost: {MARK}.example",
)
BODIES = (
    MARK.encode(),
    f'{{"resourceSpans": "{MARK}"}}'.encode(),
    f'{{"resourceSpans": [{{"scopeSpans": [{{"spans": [{{"traceId": "{MARK}", "name": "{MARK}"}}]}}]}}]}}'.encode(),
    request(span(name=MARK, trace_id=MARK.encode(), span_id=b"\0" * 8)).SerializeToString(),
    gzip.compress(MARK.encode())[:-4],
)
"""Not decodable, of the wrong shape, with bad ids, cut off."""


def exchange(port: int, data: bytes) -> bytes:
    """Send bytes and read until the peer closes."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(data)
        while part := connection.recv(65536):
            answer += part
    return answer


def http_requests() -> list[bytes]:
    """Every combination, and one that is not HTTP."""
    made = [
        f"POST {path} HTTP/1.1\r\n{head}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body
        for path in PATHS
        for head in HEADERS
        for body in BODIES
    ]
    return [*made, f"{MARK} {MARK}\r\n\r\n".encode()]


@pytest.mark.parametrize("guarded", [False, True])
def test_nothing_of_a_request_is_told(guarded: bool, tmp_path: Path):
    """Whether anybody may send or a token is needed, no answer and no line of the log repeats what came."""
    tokens = tmp_path / "tokens"
    tokens.write_text("0123456789abcdef0123456789abcdef")
    with served(tmp_path / "a.duckdb", *(("--ingest-token-file", tokens) if guarded else ())) as there:
        answers = [exchange(there.http, data) for data in http_requests()]
        assert all(answer.startswith(b"HTTP/1.1 ") for answer in answers)
        assert not [answer for answer in answers if MARK.encode() in answer]
        with grpc.insecure_channel(f"127.0.0.1:{there.grpc}") as channel:
            for body in BODIES:
                with pytest.raises(grpc.RpcError) as caught:
                    channel.unary_unary("/opentelemetry.proto.collector.trace.v1.TraceService/Export")(
                        body, timeout=20, metadata=[("authorization", f"Bearer {MARK}")]
                    )
                error: Any = caught.value
                assert MARK not in f"{error.details()} {error.trailing_metadata()}"
        exchange(there.grpc, f"GET /{MARK} HTTP/1.1\r\n\r\n".encode())
    assert MARK not in there.log.read_text()
