"""`tracegrade delete`: nothing of it is left in any file, served or not."""

import contextlib
import http.client
import json
import re
from pathlib import Path

import pytest

from tests.conftest import Collector, Command

MARKER = "Xk91-marker-of-the-deletion"
SUITE = """
tracegrade: 1
suite: words
cases:
  - name: any
    expect:
      - called: look
        with: { for: "something else" }
"""


def body(trace: int, conversation: str, words: str) -> bytes:
    """One agent's span, with words in what it was asked and in what it answered."""

    def pair(key: str, value: str) -> dict[str, object]:
        return {"key": key, "value": {"stringValue": value}}

    def said(role: str) -> str:
        return json.dumps([{"role": role, "parts": [{"type": "text", "content": words}]}])

    attributes = [
        pair("gen_ai.operation.name", "invoke_agent"),
        pair("gen_ai.agent.name", "support"),
        pair("gen_ai.conversation.id", conversation),
        pair("gen_ai.input.messages", said("user")),
        pair("gen_ai.output.messages", said("assistant")),
    ]
    span = {"traceId": f"{trace:032x}", "spanId": f"{trace:016x}", "name": "invoke_agent", "attributes": attributes}
    tool = {**span, "spanId": f"{trace + 100:016x}", "parentSpanId": span["spanId"], "name": "execute_tool look"}
    tool["attributes"] = [
        pair("gen_ai.operation.name", "execute_tool"),
        pair("gen_ai.tool.name", "look"),
        pair("gen_ai.tool.call.arguments", json.dumps({"for": words})),
    ]
    for one in (span, tool):
        one |= {"startTimeUnixNano": "1790000000000000000", "endTimeUnixNano": "1790000001000000000"}
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span, tool]}]}]}).encode()


def send(port: int, data: bytes) -> tuple[int, bytes]:
    """Export over HTTP."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("POST", "/v1/traces", data, {"content-type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read()


def marked(folder: Path) -> list[str]:
    """The files that hold the marker: store, log, sidecars, whatever lies there."""
    found = [file for file in folder.rglob("*") if file.is_file() and file.suffix not in (".yaml", ".json")]
    return sorted(file.name for file in found if MARKER.encode() in file.read_bytes())


def test_a_served_store_forgets(collector: Collector, tracegrade: Command, tmp_path: Path):
    """Before, the marker is in the store's files; afterwards in none, nor in results; a late retry is refused for good."""
    assert send(collector.http, body(1, "c1", MARKER))[0] == 200
    assert send(collector.http, body(2, "c2", "other words"))[0] == 200
    (tmp_path / "suite.yaml").write_text(SUITE)
    graded = tracegrade("grade", "suite.yaml", "--include-open", "--store", collector.store)
    assert MARKER in graded.stdout, graded
    assert marked(tmp_path)
    done = tracegrade("delete", "--conversation", "c1", "--store", collector.store)
    assert done.stdout.startswith("Took out 1 trace, 1 run, 2 spans"), done.stderr
    assert marked(tmp_path) == []
    status, answer = send(collector.http, body(1, "c1", MARKER))
    assert (status, b"deleted" in answer) == (400, True)
    assert send(collector.http, body(3, "c1", "words that came later"))[0] == 200
    told = tracegrade("sql", "SELECT outcome, sentence FROM check_results", "--store", collector.store).stdout
    assert "(deleted)" in told
    assert re.search(r"^fail|^indeterminate", told, re.MULTILINE)
    assert marked(tmp_path) == []


def test_a_store_that_nobody_serves_forgets(tracegrade: Command, tmp_path: Path):
    """The same without a collector; loading the file again stores nothing."""
    (tmp_path / "one.json").write_bytes(body(1, "c1", MARKER))
    assert "Loaded 2 spans" in tracegrade("load", "one.json").stdout
    (tmp_path / "two.json").write_bytes(body(2, "c1", "the next turn"))
    assert "Loaded 2 spans" in tracegrade("load", "two.json").stdout
    assert marked(tmp_path) == ["tracegrade.duckdb"]
    (tmp_path / "quarantine" / "tracegrade.duckdb-20260101T000000.000000Z").mkdir(parents=True)
    done = tracegrade("delete", "--trace", f"{1:032x}")
    assert done.returncode == 0
    assert "Not erased is what left the store" in done.stdout
    assert "quarantine/tracegrade.duckdb-20260101T000000.000000Z" in done.stdout
    assert "Other traces of the conversation c1 may repeat" in done.stdout
    assert marked(tmp_path) == []
    assert "2 were refused" in tracegrade("load", "one.json").stdout
    assert marked(tmp_path) == []


@pytest.mark.parametrize("options", [(), ("--trace", "a", "--conversation", "b")])
def test_what_to_delete_must_be_said(tracegrade: Command, options: tuple[str, ...]):
    """One id, of one kind."""
    done = tracegrade("delete", *options)
    assert (done.returncode, "--trace ID or --conversation ID" in done.stderr) == (2, True)
