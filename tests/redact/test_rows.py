"""Decoded rows through the rules: what is taken out, what is noted, and what stays the same."""

import json
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord, ResourceLogs, ScopeLogs
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from collector.decode import Decoded, logs_protobuf, traces_protobuf
from collector.decode.batch import one_by_one
from collector.redact.rows import Redactor
from collector.redact.rules import Rule, Rules, rules
from tests.decode.columnar.compare import by_column, rows
from tests.decode.samples import TRACE, any_value, pairs, request, span

MARKER = "ann@example.com"
PLAIN = span(span_id=bytes([9] * 8), attributes={"order": "A-1234"})


@pytest.fixture
def redact(data: Path) -> Redactor:
    """The rules of the test's file, and the built-in secrets."""
    return Redactor(rules(str(data / "redact/rules.toml"), secrets=True))


def marked() -> Span:
    """A span that holds the marker wherever a span can hold a text."""
    return span(
        name=f"GET {MARKER}",
        status=Status(code=Status.STATUS_CODE_ERROR, message=f"no account {MARKER}"),
        attributes={
            **dict.fromkeys(("x", "user.id", "note", "error.type"), MARKER),
            "deep": {"a": [MARKER]},
            "gen_ai.input.messages": json.dumps(
                [{"role": "user", "parts": [{"type": "text", "content": f"\n{MARKER}"}]}]
            ),
        },
        events=[Span.Event(name="said", attributes=pairs({"text": MARKER}))],
        links=[Span.Link(trace_id=TRACE, span_id=bytes(range(1, 9)), attributes=pairs({"why": MARKER}))],
    )


def decoded(*spans: Span, resource: dict[str, Any] | None = None) -> Decoded:
    """One request."""
    return traces_protobuf(request(*spans, resource=resource).SerializeToString())


def texts(found: Decoded) -> str:
    """Everything that would be stored."""
    return json.dumps(found.columns, default=str)


def test_nothing_of_it_is_left_anywhere(redact: Redactor):
    """Names, status, attributes, messages, events, links, the resource and promoted columns: all lose it."""
    found = redact(decoded(marked(), PLAIN, resource={"service.name": "shop", "host.owner": MARKER}))
    assert MARKER not in texts(found)
    columns = found.columns
    assert columns["name"][0] == "GET [REDACTED:email]"
    assert columns["error_type"][0] == "[REDACTED:email]"
    assert json.loads(columns["resource"][1])["host.owner"] == "[REDACTED:email]"


def test_rows_of_a_table_become_what_rows_of_lists_become(redact: Redactor):
    """Those with a finding are taken out of the table; of all the result is the same, hashes and owners too."""
    bodies = [request(marked(), PLAIN).SerializeToString(), request(PLAIN, marked()).SerializeToString()]
    batch, listed = by_column(bodies), one_by_one(traces_protobuf, bodies)
    assert batch is not None
    found, expected = redact(batch.decoded), redact(listed.decoded)
    assert found.by_column == 2
    assert rows(found) == rows(expected)


def test_what_was_done_stands_beside_the_row(redact: Redactor):
    """Each place with its rule and action, and the version of the rules; never what stood there."""
    notes = json.loads(redact(decoded(marked())).columns["beside"][0])
    at = {note["at"]: note["value"] for note in notes if note["kind"] == "redacted"}
    assert at["/attributes/note"] == {"rule": "note", "action": "drop"}
    assert at["/attributes/user.id"] == {"rule": "person", "action": "hash"}
    assert at["/events/0/attributes/text"] == {"rule": "email", "action": "mask"}
    assert {"/name", "/status_message", "/links/0/attributes/why", "/attributes/deep"} <= at.keys()
    assert [note["value"] for note in notes if note["kind"] == "rules"] == [redact.version]


def test_rows_without_a_finding_stay_as_they_are(redact: Redactor):
    """Their hash, their texts and their notes are those of the decoder."""
    assert redact(decoded(PLAIN)).columns == decoded(PLAIN).columns
    both, alone = redact(decoded(marked(), PLAIN)), decoded(PLAIN)
    assert {name: column[1] for name, column in both.columns.items()} == {n: c[0] for n, c in alone.columns.items()}


def test_the_hash_is_of_what_is_stored_and_of_the_rules(redact: Redactor):
    """Another content that is redacted to the same row has the same hash; other rules make another one (X-31)."""

    def hash_of(text: str, by: Redactor) -> str:
        return by(decoded(span(attributes={"x": text}))).columns["content_hash"][0]

    other = Redactor(Rules((Rule("email", "mask", pattern=r"[a-z]+@example\.com"),)))
    assert hash_of("ann@example.com", redact) == hash_of("bob@example.com", redact)
    assert hash_of("ann@example.com", redact) != hash_of("ann@example.com", other)


def test_notes_of_the_decoder_hold_nothing_raw(redact: Redactor):
    """An earlier value of a key, and the bytes of a text that is no UTF-8, go with what they are copies of."""
    twice = span(attributes={"x": "fine"})
    twice.attributes.extend(pairs({"note": "one"}) + pairs({"note": "two"}))
    body = request(twice, span(span_id=bytes([7] * 8), attributes={"y": "QQann@example.com"})).SerializeToString()
    found = redact(traces_protobuf(body.replace(b"QQann", b"\xff\xfeann")))
    assert '"one"' not in texts(found)
    assert b"ann@example".hex() not in texts(found)


def test_logs_lose_it_from_body_and_attributes(redact: Redactor):
    """A body is a value like any other."""
    record = LogRecord(body=any_value({"said": [MARKER]}), attributes=pairs({"user.name": MARKER, "note": MARKER}))
    scope = ScopeLogs(log_records=[record, LogRecord(body=any_value("plain"))])
    body = ExportLogsServiceRequest(
        resource_logs=[ResourceLogs(resource=Resource(attributes=pairs({"service.name": "shop"})), scope_logs=[scope])]
    )
    found = redact(logs_protobuf(body.SerializeToString()))
    assert MARKER not in texts(found)
    assert json.loads(found.columns["body"][0]) == {"said": ["[REDACTED:email]"]}
    assert "note" not in json.loads(found.columns["attributes"][0])
    assert found.columns["beside"][1] is None


def test_it_notes_that_it_was_there():
    """Rows carry the version of the rules, also where there are none, so that nothing is redacted twice."""
    assert Redactor(Rules())(decoded(PLAIN)).rules == Rules().version
