"""The process that judges beside another: what it answers, what it needs, and when it ends."""

import io
import os
import pickle
import signal
import subprocess
import sys
from dataclasses import replace

from collector import tree_text
from grader.code.process import Permission
from grader.part import Judge, Part, Terms
from grader.stored_run import StoredRun
from grader.worker import order, part_of, serve
from tests.grader.suites import suite
from tests.grader.trees import job, run

SUITE = suite("  - {name: refund, request: Refund, expect: [{called: refund}]}")
ORDER = (SUITE.path, SUITE.text, SUITE.format, SUITE.hash, Terms(now=0), None)
MADE = run(job("refund", input="Refund"), id="run-0")
ROW = StoredRun("run-0", tree_text.to_json(MADE).decode(), "digest-0", None)
START = [sys.executable, "-c", "from grader.worker import main; main()"]


def asked(*orders: object) -> list[object]:
    answers = io.BytesIO()
    serve(io.BytesIO(b"".join(map(pickle.dumps, orders))), answers)
    answers.seek(0)
    return [pickle.load(answers) for _ in orders]


def outcomes(part: object) -> list[str]:
    assert isinstance(part, Part)
    return [s.outcome for samples in part.samples.values() for s in samples]


def test_an_order_and_then_runs() -> None:
    """Whether the suite can be read, then what comes of each list of runs."""
    can, first, second = asked(ORDER, [ROW], [ROW, ROW])
    assert can is True
    assert (outcomes(first), outcomes(second)) == (["pass"], ["pass", "pass"])


def test_a_compiled_suite_travels_where_its_checks_do() -> None:
    """Else its text, which makes the same; an author's own code is never pickled."""
    plain = order(SUITE, Terms(now=0))
    assert isinstance(plain, bytes)
    can, part = asked(plain, [ROW])
    assert (can, outcomes(part)) == (True, ["pass"])
    cel = suite("  - {name: refund, request: Refund, expect: [{cel: 'size(tools) == 1'}]}")
    text = order(cel, Terms(now=0))
    assert isinstance(text, tuple)
    can, part = asked(text, [ROW])
    assert (can, outcomes(part)) == (True, ["pass"])
    assert isinstance(order(replace(SUITE, allowed=Permission()), Terms(now=0)), tuple)


def test_another_suite_judges_nothing() -> None:
    """A text that makes another suite than the one that was meant."""
    assert asked((*ORDER[:3], "0" * 32, *ORDER[4:]), [ROW]) == [False, None]


def test_reading_a_tree_is_part_of_judging() -> None:
    """What is handed over is text, and comes back as samples with the run's digest."""
    (sample,) = part_of(Judge(SUITE, Terms(now=0)), [ROW]).samples["refund"]
    assert (sample.run.run_id, sample.run.tree_digest) == ("run-0", "digest-0")


def test_it_needs_neither_the_database_nor_arrow() -> None:
    """They take longer to import than all the rest."""
    seen = subprocess.run(
        [sys.executable, "-c", "import sys, grader.worker; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert not {"duckdb", "pyarrow", "numpy", "jsonschema"} & set(seen.stdout.split())


def test_a_process_answers_and_ends_with_its_input() -> None:
    """Also where somebody presses Ctrl-C meanwhile: the one that started it decides."""
    with subprocess.Popen(START, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        pickle.dump(ORDER, process.stdin)
        process.stdin.flush()
        assert pickle.load(process.stdout) is True
        os.kill(process.pid, signal.SIGINT)
        pickle.dump([ROW], process.stdin)
        process.stdin.flush()
        assert outcomes(pickle.load(process.stdout)) == ["pass"]
        process.stdin.close()
        assert process.wait(30) == 0


def test_nobody_waits_for_the_answer() -> None:
    """It ends without a word where the one that asked is gone."""
    with subprocess.Popen(START, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        pickle.dump(ORDER, process.stdin)
        process.stdin.flush()
        assert process.wait(30) == 1
        assert process.stderr.read() == b""
