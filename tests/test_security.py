"""The rules of safety: each has a test, and what has no other home is tested here. `proto/README.md` lists them."""

import ast
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import grpc

from collector.answer.local import LocalStore
from collector.decode import traces_protobuf
from collector.store.writing.seen import Seen
from tests.conftest import Collector, Command
from tests.decode.samples import request, span

ROOT = Path(__file__).parents[1]
NUMBERS = {f"X-{n:02}" for n in (*range(1, 11), *range(20, 26), *range(30, 35))}
RULE = re.compile(r"\bX-\d\d\b")

METHOD = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
HEADERS, RESET, END_OF_HEADERS, CANCEL = 1, 3, 4, 8


def facts() -> Iterator[str]:
    """What the docstrings of all tests say."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield ast.get_docstring(node) or ""


def imports() -> Iterator[str]:
    """Whatever our code imports."""
    for path in sorted(p for folder in ("collector", "grader") for p in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                yield from (name.name for name in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield from (f"{node.module}.{name.name}" for name in node.names)


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """A frame of HTTP/2."""
    return len(payload).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + payload


def headers(*fields: tuple[str, str]) -> bytes:
    """Literal fields without indexing, as HPACK has them (all shorter than 127 bytes)."""
    return b"".join(b"\0" + bytes([len(k)]) + k.encode() + bytes([len(v)]) + v.encode() for k, v in fields)


def test_each_rule_has_a_test() -> None:
    """Every rule of safety is listed, and the docstring of some test names it; no test names one that is not listed."""
    listed = set(re.findall(r"^- (X-\d\d) ", (ROOT / "proto" / "README.md").read_text(), re.MULTILINE))
    assert listed == NUMBERS
    assert set(RULE.findall("\n".join(facts()))) == NUMBERS


def test_without_the_compiled_protobuf_nothing_is_served(tracegrade: Command) -> None:
    """The slow implementation could be sent into endless recursion: serve says so and how to mend it (X-07)."""
    done = tracegrade("serve", "--http-port", "0", PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION="python")
    assert (done.returncode, done.stdout) == (2, "")
    assert "unset PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_known_to_be_weak_is_not_used() -> None:
    """Neither protobuf's reader of JSON, nor the servers that the standard library has for tests (X-07, X-10)."""
    weak = ("google.protobuf.json_format", "http.server", "socketserver", "wsgiref", "xmlrpc", "h11")
    assert [name for name in imports() if name.startswith(weak)] == []


def test_keys_make_no_columns() -> None:
    """However many names attributes have, tables stay as they are; and each filter of ids has seeds of its own (X-08)."""
    with LocalStore(":memory:") as store:
        before = store.sql("SELECT * FROM spans").column_names
        many = {f"key.{number}": number for number in range(1000)}
        store.ingest(traces_protobuf(request(span(attributes=many)).SerializeToString())).result()
        found = store.sql("SELECT * FROM spans")
    assert (found.num_rows, found.column_names) == (1, before)
    assert Seen()._seeds != Seen()._seeds


def test_streams_that_are_reset_at_once_harm_nobody(collector: Collector) -> None:
    """Thousands of calls opened and cancelled on one connection of gRPC leave the others their server (X-10)."""
    opening = headers(
        (":method", "POST"), (":scheme", "http"), (":path", METHOD), (":authority", "x"),
        ("content-type", "application/grpc"), ("te", "trailers"),
    )  # fmt: skip
    sent = 0
    with socket.create_connection(("127.0.0.1", collector.grpc), timeout=20) as raw:
        raw.sendall(GREETING)
        try:
            for stream in range(1, 10_001, 2):
                cancel = frame(RESET, 0, stream, CANCEL.to_bytes(4))
                raw.sendall(frame(HEADERS, END_OF_HEADERS, stream, opening) + cancel)
                sent += 1
        except OSError:
            pass  # it was cut off for this, which is as good
        assert sent > 0
        with grpc.insecure_channel(f"127.0.0.1:{collector.grpc}") as channel:
            assert channel.unary_unary(METHOD)(request(span()).SerializeToString(), timeout=20) == b""
