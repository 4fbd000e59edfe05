"""A normalizer for tests: every trace with a span called `agent` is a job; links join; the root's trace names the run."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import orjson
import pyarrow as pa

from collector.normalize.rows import REFERENCES, SPOKE, TABLES


@dataclass(frozen=True)
class FakeBuilt:
    """What `build` gives."""

    references: pa.Table
    tables: dict[str, pa.Table]
    spoke: pa.Table = field(default_factory=SPOKE.empty_table)
    versions: dict[str, str] = field(default_factory=lambda: {"assembler": "1"})


def build(spans: pa.Table, logs: pa.Table) -> FakeBuilt:
    """One run for each set of linked traces; its digest counts its spans that are not called `noise`."""
    rows = spans.select(["trace_id", "name", "links", "resource"]).to_pylist()
    if any(row["name"] == "poison" for row in rows):
        raise ValueError("planned")
    wants = {row["trace_id"]: link["trace_id"] for row in rows for link in orjson.loads(row["links"])}
    names = defaultdict(list)
    for row in rows:
        names[row["trace_id"]].append(row["name"])
    members: dict[str, list[dict[str, str]]] = defaultdict(list)
    for trace in sorted(names):
        root, reason = trace, "root"
        while wants.get(root) in names:
            root, reason = wants[root], "link"
        if "agent" in names[trace]:
            members[f"run-{root}"].append({"run_id": f"run-{root}", "trace_id": trace, "reason": reason})
    runs = [_run(run, traces, names) for run, traces in members.items()]
    tables = {name: schema.empty_table() for name, schema in TABLES.items()}
    tables["runs"] = pa.Table.from_pylist(runs, schema=TABLES["runs"])
    tables["run_members"] = pa.Table.from_pylist(
        [m for ms in members.values() for m in ms], schema=TABLES["run_members"]
    )
    jobs = [
        {"run_id": run, "job_id": m["trace_id"], "trace_id": m["trace_id"]} for run, ms in members.items() for m in ms
    ]
    tables["jobs"] = pa.Table.from_pylist(jobs, schema=TABLES["jobs"])
    told = [{"trace_id": t, "kind": "link", "key": key, "role": "wants"} for t, key in wants.items()]
    return FakeBuilt(pa.Table.from_pylist(told, schema=REFERENCES), tables)


def _run(run: str, traces: list[dict[str, str]], names: dict[str, list[str]]) -> dict[str, Any]:
    spans = [name for member in traces for name in names[member["trace_id"]] if name != "noise"]
    return {
        "run_id": run,
        "trace_id": traces[0]["trace_id"],
        "tree_digest": str(len(spans)),
        "tree": "{}",
        "open": False,
    }
