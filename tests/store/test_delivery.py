"""One in, one out, over the wire: what a collector makes of the same spans sent again, in a row or at once, now or later."""

import http.client
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from collector import connect
from tests.decode.samples import request, span
from tests.receive.collecting import There, collecting

TRACE = bytes(15) + b"\x07"


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory):
    """One collector for all tests here; each has a trace of its own."""
    with collecting(tmp_path_factory.mktemp("store") / "a.duckdb") as running:
        yield running


def _spans(trace: int, *numbers: int, **facts: object) -> ExportTraceServiceRequest:
    made = (span(trace_id=trace.to_bytes(16, "big"), span_id=n.to_bytes(8, "big"), **facts) for n in numbers)
    return request(*made)


def _post(there: There, sent: ExportTraceServiceRequest) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", there.http, timeout=60)
    connection.request("POST", "/v1/traces", sent.SerializeToString(), {"Content-Type": "application/x-protobuf"})
    answer = connection.getresponse()
    assert answer.read() == b"", "partial success"
    connection.close()
    return answer.status


def _count(there: There, trace: int, table: str = "spans") -> int:
    with connect(there.path) as store:
        found = store.sql(f"SELECT count(*) AS n FROM {table} WHERE trace_id = '{trace:032x}'")
    return found["n"][0].as_py()


def test_a_batch_sent_again_and_then_in_part(there: There):
    """The same five spans twice, then one old and four new: all are acknowledged, nine are there (T-01)."""
    for sent in (_spans(1, 1, 2, 3, 4, 5), _spans(1, 1, 2, 3, 4, 5), _spans(1, 5, 6, 7, 8, 9)):
        assert _post(there, sent) == 200
    assert _count(there, 1) == _count(there, 1, "span_revisions") == 9


def test_the_same_span_twice_in_one_request(there: There):
    """A span that stands twice in a request is one row, and the request a success (T-27)."""
    assert _post(there, _spans(2, 1, 2, 1)) == 200
    assert _count(there, 2, "span_revisions") == 2


def test_another_content_under_the_same_id(there: There):
    """Both revisions are kept, the richer one is read, in whatever order they come (T-26)."""
    for trace, order in ((3, (0, 1_790_000_009_000_000_000)), (4, (1_790_000_009_000_000_000, 0))):
        for end in order:
            assert _post(there, _spans(trace, 1, end_time_unix_nano=end)) == 200
        assert (_count(there, trace), _count(there, trace, "span_revisions")) == (1, 2)
        with connect(there.path) as store:
            read = store.sql(f"SELECT end_ns FROM spans WHERE trace_id = '{trace:032x}'")["end_ns"][0].as_py()
        assert read == 1_790_000_009_000_000_000


def test_a_lost_answer(there: There):
    """A client whose connection breaks before the answer sends again: one copy is there (T-17)."""
    body = _spans(5, 1, 2, 3).SerializeToString()
    head = f"POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-protobuf\r\nContent-Length: {len(body)}\r\n\r\n"
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", there.http)) as connection:
            connection.sendall(head.encode() + body)
    assert _post(there, _spans(5, 1, 2, 3)) == 200
    assert _count(there, 5, "span_revisions") == 3


def test_the_same_request_from_sixteen_connections_at_once(there: There):
    """All are acknowledged and one copy is stored, also of two requests that share half of their spans."""
    for trace, *requests in ((6, _spans(6, *range(1, 51))), (7, _spans(7, *range(1, 51)), _spans(7, *range(25, 76)))):
        with ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(lambda n, sent=requests: _post(there, sent[n % len(sent)]), range(32)))
        assert answers == [200] * 32
        assert _count(there, trace, "span_revisions") == (50, 75)[trace - 6]


@pytest.mark.slow
def test_a_redelivery_after_restarts(tmp_path: Path):
    """The same spans after an orderly end and after a kill of the collector are duplicates, and the check finds all well."""
    from collector.store.care.checkup import check

    path = tmp_path / "a.duckdb"
    for ending in ("terminate", "kill", "terminate"):
        with collecting(path) as running:
            assert _post(running, _spans(8, *range(1, 21))) == 200
            assert _count(running, 8, "span_revisions") == 20
            getattr(running.process, ending)()
            running.process.wait(60)
    assert {finding.state for finding in check(str(path))} == {"ok"}
