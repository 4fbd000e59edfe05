"""Stores with runs that people label, and projects that read the labels."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from collector import Store, connect
from collector.decode import traces_protobuf
from grader.people.label import Label
from grader.results import extension
from tests.grader.spans import Trace

REPLIES = ("done", "I refunded\n50 EUR", "no")


def fill(store: Store, replies: Sequence[str] = REPLIES, named: bool = True) -> None:
    """A run a reply, asked `hello 1`, `hello 2` and so on; `named`: with the names s1, s2 and so on."""
    for number, reply in enumerate(replies, 1):
        trace = Trace(number)
        extra = {"test.case.name": f"s{number}"} if named else None
        trace.agent(1, "support", asked=f"hello {number}", reply=reply, at=number * 100, extra=extra)
        store.ingest(traces_protobuf(trace.body())).result()  # ty: ignore
    store.settle()


def stored(folder: Path, replies: Sequence[str] = REPLIES, named: bool = True) -> str:
    """The path of a store file that holds them."""
    path = str(folder / "tracegrade.duckdb")
    with connect(path, extensions=[extension()]) as opened:
        fill(opened, replies, named)
    return path


def project(folder: Path, checks: dict[str, Any], samples: int = 3) -> Path:
    """An evalstone file in the folder, over samples s1, s2 and so on."""
    lines = [json.dumps({"id": f"s{n}", "input": f"hello {n}"}) for n in range(1, samples + 1)]
    (folder / "d.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    path = folder / "evalstone.yaml"
    suites = {"main": {"dataset": "d", "checks": list(checks)}}
    told = {"project": "p", "datasets": {"d": "d.jsonl"}, "checks": checks, "suites": suites}
    path.write_text(json.dumps(told), encoding="utf-8")
    return path


def label(sample: str, output: str, passed: bool = True, **more: Any) -> Label:
    """A label of a text."""
    from grader.checks.human import output_hash

    fields: dict[str, Any] = {"value": float(passed), "passed": passed} | more
    return Label(sample_id=sample, output_hash=output_hash(output), **fields)
