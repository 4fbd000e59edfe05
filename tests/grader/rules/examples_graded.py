"""The runs listed for the example files of each vocabulary, graded the whole way: stored, made into trees, selected, judged.

`tests/data/vocabularies/NAME/sdk_runs.yaml` lists files, and for each case runs: a capture of a real framework, or what the
OpenTelemetry SDK is to record (`tests/grader/sdk_runs.py`), with the kinds of the checks that fail on it.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from collector import connect
from collector.decode import traces_protobuf
from grader.grade import Options, grade
from grader.grading import Grading
from grader.inputs import Inputs
from grader.results import extension
from grader.sample import Sample
from grader.suites import read_suites
from grader.syntax.foreign import glance
from tests import captures
from tests.grader.rules.vocabularies import VOCABULARIES
from tests.grader.sdk_runs import Recorder


@dataclass(frozen=True, slots=True)
class Example:
    """A case on a run, with what is said of it beforehand.

    `content` is the case as it stands in its file, or the whole file where its cases share what is asked; `verdict` is what
    the gate makes of the case, and `notices` are what is told of it.
    """

    content: Any
    sample: Sample
    fails: list[str]
    outcome: str
    verdict: str | None
    notices: str


@cache
def listed(name: str) -> list[dict[str, Any]]:
    """The example files of a vocabulary with their runs."""
    return YAML(typ="safe").load((VOCABULARIES / name / "sdk_runs.yaml").read_text(encoding="utf-8"))


@cache
def graded(name: str, number: int) -> Grading:
    """The file of that number in the list, over a store that holds its runs and nothing else."""
    entry = listed(name)[number]
    suites = [s for s in read_suites([_path(name, number)]) if entry.get("suite", s.name) == s.name]
    recorder = Recorder()
    with connect(":memory:", extensions=[extension()]) as store:
        for case, runs in entry["cases"].items():
            for place, run in enumerate(runs):
                if "capture" in run:
                    for body in sorted((captures.FOLDER / run["capture"]).glob("???.pb")):
                        store.ingest(traces_protobuf(body.read_bytes())).result()  # ty: ignore
                else:
                    recorder.run(f"{case}/{place}", case, run)
        store.ingest(traces_protobuf(recorder.body())).result()  # ty: ignore
        options = Options(quiet_seconds=None, inputs=Inputs(tenant_gate=entry.get("tenant_gate", False)))
        (grading,) = grade(store, suites, options)
    return grading


def example(name: str, number: int, case: str, place: int) -> Example:
    """One run of the list, with the case's content and what came of it."""
    run = listed(name)[number]["cases"][case][place]
    run_id = captures.load(run["capture"]).trees()[0].id if "capture" in run else f"{case}/{place}"
    grading = graded(name, number)
    (report,) = (report for report in grading.cases if report.case.name == case)
    (sample,) = (s for s in report.samples if s.run.run_id == run_id)
    fails = run["fails"]
    if fails == "every":
        fails = [r.kind for r in sample.results if not r.check.endswith("(implied)")]
    return Example(
        content=_content(glance(_path(name, number).read_text(encoding="utf-8")), case),
        sample=sample,
        fails=fails,
        outcome=run.get("outcome", "fail" if fails else "pass"),
        verdict=next((v.verdict for v in grading.decision.cases if v.name == case), None),
        notices="; ".join(report.case.notices),
    )


def examples(name: str) -> list[Any]:
    """Every run of the list as parameters."""
    return [
        pytest.param(name, number, case, place, id=f"{name}-{entry['file'].partition('.')[0]}-{case}-{place}")
        for number, entry in enumerate(listed(name))
        for case, runs in entry["cases"].items()
        for place in range(len(runs))
    ]


def _path(name: str, number: int) -> Path:
    entry = listed(name)[number]
    return VOCABULARIES / name / entry.get("folder", "suites") / entry["file"]


def _content(content: Any, case: str) -> Any:
    entries = content if isinstance(content, list) else content.get("cases", content.get("tests", [content]))
    return next((c for c in entries if case in (c.get("name"), c.get("id"))), content)
