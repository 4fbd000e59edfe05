"""Judgements per second, so many calls in flight, against a server that answers after a while: `python -m tests.bench.judging`.

The server runs in a process of its own and speaks the Messages API; verdicts are kept in a store's file.
"""

import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

from collector import connect
from collector.decode import traces_protobuf
from grader.grade import Options, grade
from grader.judge.judges import Limits
from grader.judge.options import JudgeOptions
from grader.results import extension
from grader.suites import read_text
from tests.bench.report import Figure, arguments, show
from tests.grader.judge.api import Said, serving, verdict_for
from tests.grader.spans import Trace

SUITE = """
tracegrade: 1
suite: bench
cases:
  - name: answers
    expect: [{ judge: answers the question }]
"""
HOUR = 3_600_000_000_000


def _serve(pipe: Connection, milliseconds: int) -> None:
    with serving() as api:

        def says(asked: dict[str, object], _number: int) -> Said:
            said = verdict_for(asked)
            said.seconds = milliseconds / 1_000
            return said

        api.says = says
        pipe.send(api.url)
        pipe.recv()


def figures(judgements: int, in_flight: int, milliseconds: int) -> Iterator[Figure]:
    """The first grading asks, the second asks nobody."""
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(there, milliseconds), daemon=True)
    server.start()
    os.environ |= {"ANTHROPIC_BASE_URL": here.recv(), "ANTHROPIC_API_KEY": "bench"}
    suite = read_text(Path("bench.yaml"), SUITE)
    options = Options(quiet_seconds=None, judging=JudgeOptions(limits=Limits(at_once=in_flight)))
    with tempfile.TemporaryDirectory() as folder, connect(f"{folder}/b.duckdb", extensions=[extension()]) as store:
        start = time.time_ns() - HOUR
        futures = []
        for number in range(1, judgements + 1):
            trace = Trace(number, "bench", start + number * 1_000_000)
            trace.agent(1, "helper", reply=f"reply {number}")
            futures.append(store.ingest(traces_protobuf(trace.body())))  # ty: ignore
        for future in futures:
            future.result()
        store.settle()
        for name in ("asked", "known"):
            begin, processor = time.perf_counter(), time.process_time()
            (grading,) = grade(store, suite, options)
            took, used = time.perf_counter() - begin, time.process_time() - processor
            if grading.decision.exit_code or grading.asked is None:
                raise SystemExit(grading.decision.text)
            yield {
                "bench": f"{judgements} judgements, {name}", "seconds": took, "calls": grading.asked.tally.calls,
                "cached": grading.asked.tally.cached, "processor seconds": used, "in flight": in_flight,
            }  # fmt: skip
    here.send(None)
    server.join()


if __name__ == "__main__":
    options = arguments(__doc__ or "", judgements=1_000, in_flight=16, milliseconds=200)
    show(figures(options.judgements, options.in_flight, options.milliseconds), as_json=options.json)
