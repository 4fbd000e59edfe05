"""A run that is deleted is forgotten by gradings, verdicts and notes, also by those of other runs that quoted it."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from collector import Store, connect
from collector.decode import traces_protobuf
from grader.grade import Options, grade
from grader.judge.options import JudgeOptions
from grader.people import stored
from grader.people.label import Label
from grader.results import extension
from grader.suites import read_suites
from tests.grader.judge.api import Api, Said
from tests.grader.spans import Trace

OLD, NEW, OTHER = "Zq1-words-of-the-baseline", "Zq2-words-of-the-candidate", "Zq3-words-of-another"
ASKED = "Zq4-words-of-an-input!"
"""The input of a run that answers no case, and comes nearest to one of a case without a run."""

ASKED = "Zq4-words-of-an-input!"
"""The input of a run that answers no case: the nearest to that of a case without a run."""

TABLES = (
    "spans",
    "runs",
    "jobs",
    "messages",
    "gradings",
    "case_results",
    "check_results",
    "judge_verdicts",
    "labels",
    "suites",
)
SUITE = """
tracegrade: 1
suite: words
select: {batch: v2}
cases:
  - name: refund
    request: Refund
    expect: [{judge: friendly}, {compare: {baseline: v1, rubric: better.md}}, {human: tone}]
  - name: hello
    request: Hello
    expect: [{judge: friendly}]
"""

NEAREST = """
cases:
  - name: nobody asked this
    request: Zq4-words-of-an-input?
    expect: [{status: completed}]
"""


def echo(asked: dict[str, Any], _number: int) -> Said:
    """A judge that repeats what it was shown, and finds it bad."""
    shown = asked["messages"][0]["content"]
    words = " ".join(word for word in (OLD, NEW, OTHER) if word in shown)
    form = json.dumps(asked)
    return Said(
        json.dumps({"reasoning": words, "better": "second"} if "better" in form else {"reasoning": words, "met": False})
    )


def trace_id(number: int) -> str:
    """The id of a trace by its number."""
    return Trace(number).id.hex()


@pytest.fixture
def store(tmp_path: Path, api: Api) -> Iterator[Store]:
    """A baseline, its candidate and another run, graded by a judge that quotes, and labelled with notes that quote."""
    api.says = echo
    (tmp_path / "better.md").write_text("Which is better?")
    (tmp_path / "words.yaml").write_text(SUITE)
    start = time.time_ns() - 3_600_000_000_000
    with connect(str(tmp_path / "t.duckdb"), extensions=[extension()]) as opened:
        for number, (batch, asked, reply) in enumerate(
            [("v1", "Refund", OLD), ("v2", "Refund", NEW), ("v2", "Hello", OTHER), ("v2", ASKED, "yes")], 1
        ):
            trace = Trace(number, "s", start + number * 1_000_000_000)
            trace.agent(1, "helper", asked=asked, reply=reply, extra={"tracegrade.batch": batch})
            opened.ingest(traces_protobuf(trace.body())).result()  # ty: ignore
        opened.settle()
        runs = {row["reply"]: row["run_id"] for row in opened.sql("SELECT reply, run_id FROM runs").to_pylist()}
        notes = [
            Label(sample_id="refund", output_hash="0" * 16, value=0.0, passed=False, notes=f"says {words}", run_id=run)
            for words, run in runs.items()
        ]
        stored.append(opened, notes)
        grade(opened, read_suites([tmp_path / "words.yaml"]), Options(quiet_seconds=None, judging=JudgeOptions()))
        yield opened


def held(store: Store, folder: Path) -> set[str]:
    """Whose words stand in any table, or in the bytes of any file."""
    tables = " ".join(
        str(row) for name in TABLES for row in store.sql(f"SELECT COLUMNS(*)::VARCHAR FROM {name}").to_pylist()
    )
    files = b" ".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())
    return {words for words in (OLD, NEW, OTHER, ASKED) if words in tables or words.encode() in files}


def test_whoever_quoted_a_deleted_run_forgets_it(store: Store, tmp_path: Path) -> None:
    """First the baseline, which only others' results and verdicts quote; then the candidate; what quotes neither stays."""
    assert store.sql("SELECT count(*) AS n FROM judge_verdicts").to_pylist() == [{"n": 4}]
    assert held(store, tmp_path) == {OLD, NEW, OTHER, ASKED}
    store.maintain({"do": "delete", "trace": trace_id(1)})
    assert held(store, tmp_path) == {NEW, OTHER, ASKED}
    told = store.sql("SELECT kind, outcome, sentence FROM check_results ORDER BY kind, run_id").to_pylist()
    compared = [row for row in told if row["kind"] == "compare"]
    assert [(row["outcome"], row["sentence"]) for row in compared] == [
        ("pass", "(deleted)")
    ]  # each order prefers the other
    assert sum(NEW in (row["sentence"] or "") for row in told) == 1
    store.maintain({"do": "delete", "trace": trace_id(2)})
    assert held(store, tmp_path) == {OTHER, ASKED}
    assert store.sql("SELECT count(*) AS n FROM judge_verdicts").to_pylist() == [{"n": 1}]
    labels = store.sql("SELECT notes, passed FROM labels ORDER BY notes").to_pylist()
    assert [(row["notes"], row["passed"]) for row in labels if "yes" not in row["notes"]] == [
        ("(deleted)", False),
        ("(deleted)", False),
        (f"says {OTHER}", False),
    ]


def test_an_input_that_was_named_as_the_nearest_is_forgotten(store: Store, tmp_path: Path) -> None:
    """Its run is a sample of nothing, and the reasons of a grading repeat what it was asked."""
    cases = SUITE[: SUITE.index("cases:")].replace("words", "nearest") + NEAREST
    (tmp_path / "nearest.yaml").write_text(cases)
    grade(store, read_suites([tmp_path / "nearest.yaml"]), Options(quiet_seconds=None))
    query = "SELECT reasons, verdict FROM gradings WHERE suite = 'nearest'"
    (told,) = store.sql(query).to_pylist()
    assert any(ASKED in reason for reason in told["reasons"])
    store.maintain({"do": "delete", "trace": trace_id(4)})
    assert held(store, tmp_path) == {OLD, NEW, OTHER}
    assert store.sql(query).to_pylist() == [{**told, "reasons": ["(deleted)"]}]


def test_a_verdict_of_nobody_knows_whom_goes_with_any_run(store: Store, tmp_path: Path) -> None:
    """One that was kept before it was noted whose words it holds may repeat anybody's."""
    assert held(store, tmp_path)
    row = {"verdict_key": "f" * 32, "verdict": json.dumps({"reasoning": OLD, "met": True})}
    store.append({"grading.judge_verdicts": pa.Table.from_pylist([row])}, "late")
    store.maintain({"do": "delete", "trace": trace_id(1)})
    assert held(store, tmp_path) == {NEW, OTHER, ASKED}
