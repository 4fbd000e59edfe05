"""`tracegrade doctor`: what is told, and that it is true of the checks."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from collector.cli.diagnosis import KindShare
from grader.doctor import NEEDS, NEEDS_NOTHING, UNGRADED, blocked
from tests.conftest import TRACEGRADE, Command, clean_environment

CAPTURE = "google-adk__native__refund"
"""ADK's default: no content at all, so no arguments, no results and no words."""


@pytest.fixture(scope="module")
def store(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with that capture."""
    path = tmp_path_factory.mktemp("doctor") / "a.duckdb"
    command = [*TRACEGRADE, "load", "--store", str(path), str(data / "captures" / CAPTURE)]
    subprocess.run(command, env=clean_environment(), check=True, capture_output=True, timeout=120)
    return path


def test_people_are_told_what_is_there_and_what_helps(store: Path, tracegrade: Command) -> None:
    """A table of evidence, the switch, and the checks that cannot be decided."""
    done = tracegrade("doctor", "--store", store)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "support-bot · 1 run · dialects: google_adk, semconv"
    assert any(line.split() == ["tools", "100%", "-", "-", "-"] for line in lines)
    assert any(line.split() == ["tool_args", "-", "-", "100%", "-", "content_off"] for line in lines)
    assert "Google ADK 2: `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY`" in done.stdout
    (never,) = [line for line in lines if "can never decide" in line]
    assert {"reply", "json", "limits: usd"} <= {part.strip() for part in never.split(":", 1)[1].split(";")}


def test_machines_get_the_same_as_an_object(store: Path, tracegrade: Command) -> None:
    """One object with counts, remedies and checks for each service."""
    told = json.loads(tracegrade("doctor", "--json", "--store", store, "--service", "support-bot").stdout)
    (service,) = told["services"]
    assert (service["service"], service["runs"]) == ("support-bot", 1)
    assert told["outdated_traces"] in (0, 1)  # the normalizer may have been edited since the store was made
    assert {kind["kind"]: kind["absent"] for kind in service["kinds"]}["reply"] == 1
    assert "reply" in service["checks"]["never_decided"]
    assert service["remedies"]


def test_an_unknown_service_or_no_store(store: Path, tracegrade: Command) -> None:
    """Both are said with what to do, and end with 2."""
    done = tracegrade("doctor", "--store", store, "--service", "nobody")
    assert (done.returncode, done.stdout) == (2, "")
    assert "No spans are stored of the service nobody" in done.stderr
    assert tracegrade("doctor").returncode == 2


def test_a_service_without_runs(tmp_path: Path, tracegrade: Command) -> None:
    """Spans that no dialect understands are told with their instrumentations and the way out."""
    spans = [
        {"traceId": "1" * 32, "spanId": "2" * 16, "name": "GET /", "startTimeUnixNano": "1", "endTimeUnixNano": "2"}
    ]
    scope = {"scope": {"name": "http\u001bserver"}, "spans": spans}
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]}
    (tmp_path / "a.json").write_text(json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}))
    tracegrade("load", "a.json")
    shown = tracegrade("doctor").stdout
    assert shown.startswith("shop · 1 spans · no runs")
    assert "instrumentations seen: http\\x1bserver" in shown
    assert "tracegrade instrument" in shown


def test_each_check_says_what_it_needs() -> None:
    """Every check of the native suite stands in the table of needs, needs nothing or is not graded, and no other does."""
    schema = json.loads(subprocess.run([*TRACEGRADE, "lint", "--schema"], capture_output=True, check=True).stdout)
    folder = Path(__file__).parents[2] / "grader" / "checks"
    keys = {key for path in folder.glob("[a-z]*.py") for key in re.findall(r'KEY: .*= "(\w+)"', path.read_text())}
    assert {need.check for need in NEEDS} | NEEDS_NOTHING | UNGRADED == keys
    assert all(f'"{key}"' in json.dumps(schema) for key in keys)


BLOCKED = {
    "with, with_exactly of a call that was made": "- called: lookup_order\n        with: { order_id: A-1 }",
    "$from a result": "- called: issue_refund\n        with: { order_id: { $from: lookup_order.result.id } }",
    "limits: usd": "- limits: { usd: 5 }",
    "approved, of a tool that was called": "- approved: lookup_order",
    "skills_read": "- skills_read: refunds",
    **{f"{word}: output": f"- {word}: 'output != \"x\"'" for word in ("expr", "cel")},
    **{f"{word}: skills_read": f"- {word}: '\"x\" in skills_read'" for word in ("expr", "cel")},
    **{f"{word}: cost_usd": f"- {word}: 'cost_usd < 1.0'" for word in ("expr", "cel")},
    "reply": "- reply: { contains: [refund] }",
    "json": "- json: { path: amount, equals: 50 }",
    "constraints_reach": "- constraints_reach: 0\n        constraints: [be kind]",
}
"""For each thing that the doctor rules out on this store, a check of that kind."""


def test_what_is_ruled_out_is_indeterminate(store: Path, tmp_path: Path, tracegrade: Command) -> None:
    """Each kind of check that the doctor says can never be decided is graded indeterminate on that store."""
    told = json.loads(tracegrade("doctor", "--json", "--store", store).stdout)
    assert set(told["services"][0]["checks"]["never_decided"]) == set(BLOCKED)
    items = "\n".join(f"      {item}" for item in BLOCKED.values())
    (tmp_path / "s.yaml").write_text(f"tracegrade: 1\nsuite: s\ncases:\n  - name: c\n    expect:\n{items}\n")
    done = tracegrade("grade", "s.yaml", "--store", store, "--include-open", "--json")
    graded = json.loads(done.stdout)
    checks = _checks(graded)
    assert len(checks) >= len(BLOCKED), done.stdout + done.stderr
    assert {check["outcome"] for check in checks if check["check"] != "status"} == {"indeterminate"}


def _checks(found: object) -> list[dict[str, str]]:
    """All results of checks anywhere in a report."""
    if isinstance(found, list):
        return [check for item in found for check in _checks(item)]
    if not isinstance(found, dict):
        return []
    own = [found] if {"check", "outcome"} <= found.keys() else []
    return own + [check for item in found.values() for check in _checks(item)]


def test_partial_evidence_rules_out_less() -> None:
    """Where some runs hold all of a kind nothing is ruled out; where only parts are held, proofs by completeness are."""

    def share(present: int, partial: int) -> list[KindShare]:
        return [KindShare("tools", 4, present, partial, 4 - present - partial, 0)]

    assert blocked(share(1, 0)).never_decided == []
    some = blocked(share(0, 1))
    assert some.never_decided == ["every … preceded_by", "expr: tools, tool_calls", "cel: tools, tool_calls"]
    assert some.never_passed == [
        "called … times, max", "not_called", "calls: exactly, at_most", "limits: tool_calls, same_call", "approved",
    ]  # fmt: skip
    assert "not_called" in blocked(share(0, 0)).never_decided
    asked = blocked([KindShare("requests", 4, 0, 4, 0, 0)])
    assert asked.never_decided == ["expr: tools, tool_calls", "cel: tools, tool_calls"]
    assert len(asked.never_passed) == 1
    both = blocked([KindShare(kind, 4, 0, 4, 0, 0) for kind in ("tools", "requests")]).never_decided
    assert len(both) == len(set(both))
    assert "state: executed" in asked.never_passed[0]
