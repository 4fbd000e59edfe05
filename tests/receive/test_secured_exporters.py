"""The Python SDK's exporters against a guarded collector in a process of its own: with certificates and tokens, and without."""

import logging
from collections.abc import Callable, Generator
from pathlib import Path

import grpc
import opentelemetry.exporter.otlp.proto.grpc.trace_exporter as grpc_exporter
import opentelemetry.exporter.otlp.proto.http.trace_exporter as http_exporter
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from collector import connect
from tests.certificates import Authority, Pair
from tests.receive.served import Served, served

TOKEN = "0123456789abcdef0123456789abcdef"
HEADERS = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Who signs the server and its exporters."""
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def client(authority: Authority) -> Pair:
    """An exporter's certificate."""
    return authority.issue("client", "exporter")


@pytest.fixture
def tls(authority: Authority) -> tuple[str | Path, ...]:
    """The options of a server with TLS."""
    pair = authority.issue("server")
    return "--tls-cert", pair.cert, "--tls-key", pair.key


def one_span(name: str) -> list[ReadableSpan]:
    """A span to export."""
    memory = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(memory))
    provider.get_tracer("t").start_span(name).end()
    return list(memory.get_finished_spans())


def over_grpc(there: Served, authority: Authority, client: Pair | None, headers: dict[str, str]) -> SpanExporter:
    """OTLP/gRPC with TLS."""
    credentials = grpc.ssl_channel_credentials(
        authority.cert.read_bytes(), client and client.key.read_bytes(), client and client.cert.read_bytes()
    )
    return grpc_exporter.OTLPSpanExporter(
        f"https://localhost:{there.grpc}", credentials=credentials, headers=headers, timeout=3
    )


def over_http(there: Served, authority: Authority, client: Pair | None, headers: dict[str, str]) -> SpanExporter:
    """OTLP/HTTP with TLS."""
    return http_exporter.OTLPSpanExporter(
        f"https://localhost:{there.http}/v1/traces",
        certificate_file=str(authority.cert),
        client_certificate_file=None if client is None else str(client.cert),
        client_key_file=None if client is None else str(client.key),
        headers=headers,
        timeout=3,
    )


def plain_grpc(there: Served, _authority: Authority, _client: Pair | None, headers: dict[str, str]) -> SpanExporter:
    """OTLP/gRPC without TLS."""
    return grpc_exporter.OTLPSpanExporter(f"http://localhost:{there.grpc}", insecure=True, headers=headers, timeout=1)


def plain_http(there: Served, _authority: Authority, _client: Pair | None, headers: dict[str, str]) -> SpanExporter:
    """OTLP/HTTP without TLS."""
    return http_exporter.OTLPSpanExporter(f"http://localhost:{there.http}/v1/traces", headers=headers, timeout=1)


Make = Callable[[Served, Authority, Pair | None, dict[str, str]], SpanExporter]


@pytest.fixture(autouse=True)
def exporters(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """The SDK logs each refusal, and here they are what is wanted; `requests` lets these variables beat its arguments."""
    for variable in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(variable, raising=False)
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def test_tls_and_a_token(authority: Authority, tls: tuple[str | Path, ...], tmp_path: Path):
    """At an address that others reach, both transports store with TLS and the token; without either they are refused."""
    tokens = tmp_path / "tokens"
    tokens.write_text(TOKEN)
    store = tmp_path / "a.duckdb"
    tries: list[tuple[Make, dict[str, str], str]] = [
        (over_grpc, HEADERS, "grpc"),
        (over_http, HEADERS, "http"),
        (over_grpc, {}, ""),
        (over_http, {}, ""),
        (over_grpc, {"authorization": "Bearer wrong"}, ""),
        (plain_grpc, HEADERS, ""),
        (plain_http, HEADERS, ""),
    ]
    with served(store, "--host", "0.0.0.0", "--ingest-token-file", tokens, *tls) as there:
        assert f"https://0.0.0.0:{there.http}" in there.line
        for make, headers, name in tries:
            exporter = make(there, authority, None, headers)
            result = exporter.export(one_span(name or "refused"))
            exporter.shutdown()
            assert result is (SpanExportResult.SUCCESS if name else SpanExportResult.FAILURE), (make, headers)
        log = there.log.read_text()
    assert TOKEN not in log
    assert "refused" in log
    with connect(store) as found:
        assert found.sql("SELECT name FROM spans ORDER BY name")["name"].to_pylist() == ["grpc", "http"]


def test_client_certificates(authority: Authority, client: Pair, tls: tuple[str | Path, ...], tmp_path: Path):
    """With a client authority an exporter's certificate is its credential, and one without or of another is refused (X-03)."""
    stranger = Authority(tmp_path).issue("stranger", "exporter")
    store = tmp_path / "a.duckdb"
    with served(store, "--host", "0.0.0.0", *tls, "--tls-client-ca", authority.cert) as there:
        for make in (over_grpc, over_http):
            for shown, result in (
                (client, SpanExportResult.SUCCESS),
                (None, SpanExportResult.FAILURE),
                (stranger, SpanExportResult.FAILURE),
            ):
                exporter = make(there, authority, shown, {})
                assert exporter.export(one_span("x")) is result, (make, shown)
                exporter.shutdown()
    with connect(store) as found:
        assert found.sql("SELECT count(*) AS n FROM spans")["n"].to_pylist() == [2]
