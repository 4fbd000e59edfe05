"""What a running collector says about itself, asked over its ports as a scraper does."""

import http.client
import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from prometheus_client.parser import text_string_to_metric_families

from collector import connect
from collector.measure.families import FAMILIES
from collector.observation import file_sizes
from collector.store.errors import RefusedStatement
from tests.decode.samples import request, span
from tests.receive.collecting import There, collecting

Samples = dict[str, dict[tuple[str, ...], float]]


def get(url: str, path: str, token: str = "") -> tuple[int, bytes]:
    """GET a path of an address."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
    response = connection.getresponse()
    answer = response.status, response.read()
    connection.close()
    return answer


def post(there: There, body: bytes) -> int:
    """Send one request; the status."""
    connection = http.client.HTTPConnection("127.0.0.1", there.http, timeout=30)
    connection.request("POST", "/v1/traces", body, {"Content-Type": "application/x-protobuf"})
    status = connection.getresponse().status
    connection.close()
    return status


def read(page: bytes) -> Samples:
    """All samples by metric and labels, as Prometheus' own parser reads them; each metric and sample stands there once."""
    found: Samples = {}
    for family in text_string_to_metric_families(page.decode()):
        for sample in family.samples:
            of_name = found.setdefault(sample.name, {})
            key = tuple(sample.labels.values())
            assert key not in of_name
            of_name[key] = sample.value
    heads = re.findall(r"^# TYPE (\S+) (\S+)$", page.decode(), re.MULTILINE)
    assert heads == [(family.name, family.kind) for family in FAMILIES]
    return found


def test_the_page_tells_what_happened(tmp_path: Path):
    """Received, stored, duplicate, revised, refused and their sum; answers, commits and statements; nothing that was sent."""
    twice, other = request(span()).SerializeToString(), request(span(name="SECRET")).SerializeToString()
    bad = request(span(span_id=b"\3" * 8), span(trace_id=b"\0" * 16)).SerializeToString()
    with collecting(tmp_path / "store.duckdb") as there:
        assert [post(there, body) for body in (twice, twice, other, bad, b"\xff")] == [200, 200, 200, 200, 400]
        with connect(there.path) as store:
            store.settle()
            store.sql("SELECT count(*) FROM spans")
            with pytest.raises(RefusedStatement):
                store.sql("DELETE FROM spans")
        status, page = get(f"http://127.0.0.1:{there.http}", "/metrics")
        assert status == 200
        assert b"SECRET" not in page
        found = read(page)
        rows = {name: found[f"tracegrade_rows_{name}_total"] for name in ("received", "stored", "duplicate", "refused")}
        assert {name: counts.get(("spans",)) for name, counts in rows.items() if name != "refused"} == {
            "received": 5,
            "stored": 3,
            "duplicate": 1,
        }
        assert rows["refused"] == {("spans", "trace_id_zero"): 1}
        assert found["tracegrade_span_revisions_total"] == {(): 1}
        assert found["tracegrade_requests_total"] == {("http", "traces", "200"): 4, ("http", "traces", "400"): 1}
        assert found["tracegrade_commit_seconds_count"][()] == 4
        assert found["tracegrade_sql_statements_total"] == {("answered",): 1, ("refused",): 1}
        assert (found["tracegrade_waiting_traces"][()], found["tracegrade_tree_lag_seconds"][()]) == (0, 0)
        assert (found["tracegrade_in_flight_bytes"][()], found["tracegrade_ready"][()]) == (0, 1)
        assert found["tracegrade_store_bytes"][("store",)] > 0


def test_readers_see_the_same(tmp_path: Path):
    """The read endpoint has the page and the facts, for who shows a token; they agree."""
    with collecting(tmp_path / "store.duckdb") as there:
        post(there, request(span()).SerializeToString())
        url, token = there.notice["read"], there.notice["token"]
        for path in ("/metrics", "/status"):
            assert get(url, path)[0] == 401
        found = read(get(url, "/metrics", token)[1])
        facts = json.loads(get(url, "/status", token)[1])
        assert found["tracegrade_rows_stored_total"] == {("spans",): 1, ("logs",): 0}
        assert facts["stored"] == {"spans": 1, "logs": 0}
        assert (facts["pid"], facts["ready"], facts["trouble"]) == (there.process.pid, True, None)
        assert facts["listens"]["http"] == f"http://127.0.0.1:{there.http}"
        assert facts["started"] == found["tracegrade_start_timestamp_seconds"][()]
        assert facts["groups"] == 1


def test_what_is_not_there_has_no_size(tmp_path: Path):
    """A store in memory has no files, and a file without a log none of a log."""
    assert file_sizes(":memory:") == {}
    (tmp_path / "s").write_bytes(b"12")
    assert file_sizes(str(tmp_path / "s")) == {"store": 2}
