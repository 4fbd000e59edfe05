"""The TypeScript twin of the marks, compiled and run against a real collector."""

import json
from pathlib import Path

from tests.conftest import Collector, Command
from tests.node import FOLDER, compile_and_run


def test_the_typescript_agent_and_its_marks_arrive(tracegrade: Command, collector: Collector, tmp_path: Path) -> None:
    """Case, suite, batch, constraints, context and approval that the twin sets stand in the run's tree."""
    sources = {name: (FOLDER / name).read_text() for name in ("mark.ts", "agent.ts")}
    folder = tmp_path / "example"
    folder.mkdir()
    compile_and_run(sources, folder, "agent.js", OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{collector.http}")
    (row,) = [json.loads(line) for line in tracegrade("runs", "--json").stdout.splitlines()]
    run = json.loads(tracegrade("show", row["run_id"], "--json").stdout)
    assert (run["case"], run["suite"], run["batch"]) == ("looks an order up", "refunds", "example")
    job = run["job"]
    assert job["constraints"] == ["no personal data leaves the EU"]
    assert job["context"] == {"tier": "gold"}
    assert [(a["tool"], a["decision"], a["source"]) for a in job["approvals"]] == [
        ("orders.lookup", "approve", "policy")
    ]
    assert [(c["name"], c["arguments"]) for c in job["tool_calls"]] == [("orders.lookup", {"order_id": "B-2002"})]
    spans = tracegrade("sql", "SELECT count(*) AS n FROM spans WHERE case_name = 'looks an order up'").stdout
    assert spans == "n\n2\n"
