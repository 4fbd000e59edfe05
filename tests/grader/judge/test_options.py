"""Judges from the command line: real processes, a real store and a real server."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from collector import connect
from collector.decode import traces_protobuf
from grader.judge.judges import DEFAULT_MODEL, Judges
from grader.judge.options import JudgeOptions
from grader.results import extension
from tests.conftest import TRACEGRADE, Command, clean_environment
from tests.grader.judge.api import Api, Said, verdict_for
from tests.grader.spans import Trace
from tests.grader.suites import suite

NATIVE = """
tracegrade: 1
suite: tone
cases:
  - name: answers
    expect:
      - judge: answers the question
"""
LASSO = {
    "cases": [
        {
            "name": "answers",
            "request": "hello",
            "checks_version": 1,
            "checks": [
                {"id": "c1", "type": "output_contains", "value": "reply", "severity": "critical"},
                {"id": "c2", "type": "llm_judge", "criterion": "answers", "severity": "critical"},
            ],
        }
    ]
}
EVALSTONE = {
    "project": "p",
    "datasets": {"d": "d.jsonl"},
    "checks": {"c": {"type": "judge", "rubric": "Is it polite?"}},
    "suites": {"main": {"dataset": "d", "checks": ["c"], "gate": {"min_pass_rate": 0.1}}},
}


def fill(folder: Path, runs: int, first: int = 1) -> None:
    """A store with runs whose replies differ."""
    with connect(str(folder / "tracegrade.duckdb"), extensions=[extension()]) as store:
        for number in range(first, first + runs):
            trace = Trace(number, "s")
            trace.agent(1, "helper", reply=f"reply {number}")
            store.ingest(traces_protobuf(trace.body())).result()  # ty: ignore
        store.settle()


@pytest.fixture
def native(tmp_path: Path) -> Path:
    """A suite with one judged policy."""
    path = tmp_path / "suite.yaml"
    path.write_text(NATIVE, encoding="utf-8")
    return path


def graded(tracegrade: Command, path: Path, *more: str, **environment: str) -> tuple[int, dict[str, Any]]:
    done = tracegrade("grade", path, "--include-open", "--json", *more, **environment)
    assert done.stderr == "", done.stderr
    return done.returncode, json.loads(done.stdout)["gradings"][0]


def test_an_unchanged_run_is_not_paid_for_again(api: Api, tmp_path: Path, native: Path, tracegrade: Command) -> None:
    """The second grading makes no call; a new reply makes exactly the one that it needs."""
    fill(tmp_path, 4)
    code, first = graded(tracegrade, native)
    assert (code, len(api.requests), first["judges"]["calls"]) == (0, 4, 4)
    assert first["judges"]["cost_usd"] == pytest.approx(4 * 0.0004)
    assert {r["model"] for r in api.requests} == {DEFAULT_MODEL}
    code, second = graded(tracegrade, native)
    assert (code, len(api.requests)) == (0, 4)
    assert (second["judges"]["cached"], second["judges"]["cost_usd"]) == (4, 0.0)
    checks = [s["checks"][0] for s in second["cases"][0]["samples"]]
    assert [(c["cached"], c["cost_usd"]) for c in checks] == [(True, 0.0)] * 4
    assert all(s["changed_because"] is None for s in second["cases"][0]["samples"])
    fill(tmp_path, 1, first=5)
    graded(tracegrade, native)
    assert len(api.requests) == 5


def test_a_dry_run_says_what_it_would_cost(api: Api, tmp_path: Path, native: Path, tracegrade: Command) -> None:
    """Nobody is asked, nothing is recorded."""
    fill(tmp_path, 3)
    done = tracegrade("grade", native, "--include-open", "--dry-run")
    assert done.returncode == 0
    assert done.stdout.startswith("tone: 3 judge calls, 0 cached; at most ")
    told = json.loads(tracegrade("grade", native, "--include-open", "--dry-run", "--json").stdout)["suites"][0]
    assert (told["calls"], told["output_tokens_at_most"]) == (3, 3 * 1024)
    assert told["usd_at_most"] > 0
    assert api.requests == []
    with connect(str(tmp_path / "tracegrade.duckdb"), extensions=[extension()]) as store:
        assert store.sql("SELECT count(*) AS n FROM gradings").to_pylist() == [{"n": 0}]
    _, grading = graded(tracegrade, native)
    assert grading["judges"]["input_tokens"] <= told["input_tokens_at_most"]
    assert grading["judges"]["cost_usd"] <= told["usd_at_most"]


def test_without_a_key_nothing_passes_and_it_says_what_to_set(tmp_path: Path, tracegrade: Command, api: Api) -> None:
    """S0: a critical one keeps its case from passing, and flags it; S2: an error, and the gate fails."""
    fill(tmp_path, 1)
    (tmp_path / "lasso.json").write_text(json.dumps(LASSO), encoding="utf-8")
    (tmp_path / "evalstone.yaml").write_text(json.dumps(EVALSTONE), encoding="utf-8")
    (tmp_path / "d.jsonl").write_text('{"id": "s", "input": "hello"}\n', encoding="utf-8")
    nobody = {"ANTHROPIC_API_KEY": "", "HOME": "/nonexistent"}
    code, lasso = graded(tracegrade, tmp_path / "lasso.json", **nobody)
    (sample,) = lasso["cases"][0]["samples"]
    assert code != 0
    assert (sample["outcome"], sample["flags"]) == ("indeterminate", ["partially_graded"])
    assert [c["outcome"] for c in sample["checks"]] == ["pass", "not_graded"]
    assert "set ANTHROPIC_API_KEY" in sample["checks"][1]["sentence"]
    code, stone = graded(tracegrade, tmp_path / "evalstone.yaml", **nobody)
    assert (code, stone["gate"]["verdict"]) == (1, "failed")
    assert "set ANTHROPIC_API_KEY" in stone["gate"]["text"]
    assert stone["cases"][0]["samples"][0]["checks"][0]["outcome"] == "error"
    assert api.requests == []


@pytest.mark.parametrize("says", [Said(status=529), Said("PASS"), Said("", stop="refusal"), Said(status=401)])
def test_a_dead_judge_passes_nothing(says: Said, api: Api, tmp_path: Path, native: Path, tracegrade: Command) -> None:
    """Whatever it says instead of a verdict."""
    fill(tmp_path, 2)
    says.headers = {"Retry-After": "0"}
    api.says = lambda _asked, _n: says
    code, grading = graded(tracegrade, native)
    assert code == 2
    assert grading["gate"]["verdict"] == "not gateable"
    assert [s["outcome"] for s in grading["cases"][0]["samples"]] == ["indeterminate"] * 2


def test_the_model_is_the_check_s_then_the_suite_s_then_the_command_s(
    api: Api, tmp_path: Path, native: Path, tracegrade: Command
) -> None:
    """Then the default."""
    fill(tmp_path, 1)
    graded(tracegrade, native, "--judge-model", "n-1")
    native.write_text(NATIVE + "judge: { model: n-2 }\n", encoding="utf-8")
    graded(tracegrade, native, "--judge-model", "n-1")
    native.write_text(
        NATIVE.replace("answers the question", "{ criterion: answers, model: n-3 }") + "judge: { model: n-2 }\n",
        encoding="utf-8",
    )
    _, grading = graded(tracegrade, native, "--judge-model", "n-1")
    assert [r["model"] for r in api.requests] == ["n-1", "n-2", "n-3"]
    assert grading["judges"]["cost_usd"] is None
    assert any("the price of n-3 is not known" in n for n in grading["notices"])


def test_a_cap_ends_the_grading_without_a_pass(api: Api, tmp_path: Path, native: Path, tracegrade: Command) -> None:
    """The gate says so; what was paid for is known the next time."""
    fill(tmp_path, 3)
    code, grading = graded(tracegrade, native, "--max-judge-calls", "2")
    assert (code, len(api.requests)) == (2, 2)
    assert "the cap of 2 judge calls is reached (--max-judge-calls); the rest is not graded" in grading["gate"]["text"]
    code, _ = graded(tracegrade, native, "--max-judge-calls", "2")
    assert (code, len(api.requests)) == (0, 3)


def test_a_killed_grading_repeats_no_call_that_was_answered(
    api: Api, tmp_path: Path, native: Path, tracegrade: Command
) -> None:
    """Verdicts are kept before the next question is sent: once eight were asked two at a time, six are known."""
    fill(tmp_path, 12)
    answered: list[str] = []

    def says(asked: dict[str, Any], n: int) -> Said:
        if n > 6:
            time.sleep(30)
        answered.append(asked["messages"][0]["content"])
        return verdict_for(asked)

    api.says = says
    command = [*TRACEGRADE, "grade", str(native), "--include-open"]
    environment = clean_environment() | {"TRACEGRADE_JUDGE_CALLS": "2"}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        end = time.monotonic() + 60
        while len(api.requests) < 8 and time.monotonic() < end:
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
    before = list(answered)
    api.says = lambda asked, _n: verdict_for(asked)
    sent = len(api.requests)
    code, grading = graded(tracegrade, native)
    again = [r["messages"][0]["content"] for r in api.requests[sent:]]
    assert code == 0
    assert len(before) == 6
    assert set(again).isdisjoint(before)
    assert (len(again), grading["judges"]["cached"]) == (6, 6)


def test_nobody_is_asked_before_all_evidence_is_there(
    api: Api, tmp_path: Path, native: Path, tracegrade: Command
) -> None:
    """A run that was still waited for is judged once, by the tree that it has in the end."""
    fill(tmp_path, 1)
    done = tracegrade("grade", native, "--no-cache", "--json", TRACEGRADE_OPEN_SECONDS="3")
    assert "waiting" in done.stderr
    assert (done.returncode, len(api.requests)) == (0, 1)


def test_judges_in_batches(api: Api, tmp_path: Path, native: Path, tracegrade: Command) -> None:
    """The same verdicts, at half the price."""
    fill(tmp_path, 3)
    api.polls_until_ended = 0
    code, grading = graded(tracegrade, native, "--judge-batch")
    assert (code, api.requests) == (0, [])
    assert grading["judges"]["cost_usd"] == pytest.approx(3 * 0.0002)


def test_the_panel_asks_whom_the_suite_names() -> None:
    """Else whom the command line names, else the default."""
    judges = Judges()
    with connect(":memory:", extensions=[extension()]) as store:
        named = suite("  - {name: a, expect: [{judge: x}]}\n", "judge: { model: n }")
        plain = suite("  - {name: a, expect: [{judge: x}]}\n")
        assert JudgeOptions(model="m").panel(named, judges, store).model == "n"
        assert JudgeOptions(model="m").panel(plain, judges, store).model == "m"
        assert JudgeOptions().panel(plain, judges, store).model == DEFAULT_MODEL


def test_asking_imports_the_sdk_and_not_asking_does_not(tmp_path: Path) -> None:
    """It takes half a second."""
    code = "import sys, grader.grade, grader.commands; print('anthropic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.strip() == "False"
