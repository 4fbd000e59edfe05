"""Runs graded per second, ten checks over 11 spans each, from a store's file: `python -m tests.bench.grading`.

The figures: trees read and judged, ready as text, on one core; the command's own path over the store, with one process and
with several (0: one a core), without and with recording. Where the machine is shared, go by processor seconds: of this
process, and of the workers beside it. `--profile 1` prints where the time goes on one core.
"""

import cProfile
import io
import pstats
import resource
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from collector import Store, connect
from collector.decode import traces_protobuf
from grader.case import Select, Suite
from grader.grade import Options, look, record
from grader.part import Judge, Terms
from grader.results import extension, reading
from grader.suites import read_text
from grader.worker import part_of
from grader.workers import BATCH, Crew
from tests.bench.graded_runs import SPANS, SUITE, bodies
from tests.bench.report import Figure, arguments, show

HOUR = 3_600_000_000_000
SLOWEST = 25
"""Lines of the profile."""


def figures(runs: int, processes: int, *, profile: bool) -> Iterator[Figure]:
    """Fills a store, then grades it in every way."""
    suite = read_text(Path("bench.yaml"), SUITE)[0]
    with tempfile.TemporaryDirectory() as folder, connect(f"{folder}/b.duckdb", extensions=[extension()]) as store:
        yield _filled(store, runs)
        yield _in_memory(store, suite)
        if profile:
            _profiled(store, suite)
        for number in dict.fromkeys((1, processes)):
            yield from _graded(store, suite, number)


def _filled(store: Store, runs: int) -> Figure:
    begin = time.perf_counter()
    for future in [store.ingest(traces_protobuf(b)) for b in bodies(runs, time.time_ns() - HOUR)]:  # ty: ignore
        future.result()
    store.settle()
    return {"bench": "runs received and made into trees", "spans/s": runs * SPANS / (time.perf_counter() - begin)}


def _in_memory(store: Store, suite: Suite) -> Figure:
    found = reading.selected(store, Select(), datetime.now(UTC), None)
    batches = list(reading.batches(found, BATCH))
    size = sum(len(r.tree) for b in batches for r in b) // found.num_rows
    judge = Judge(suite, Terms(now=time.time_ns()))
    begin, processor = time.perf_counter(), time.process_time()
    for batch in batches:
        part_of(judge, batch)
    took, used = time.perf_counter() - begin, time.process_time() - processor
    return {
        "bench": "read and judged, one core", "runs/s": found.num_rows / took,
        "runs/s of processor time": found.num_rows / used, "bytes/tree": size,
    }  # fmt: skip


def _profiled(store: Store, suite: Suite) -> None:
    found = reading.selected(store, Select(), datetime.now(UTC), None)
    judge = Judge(suite, Terms(now=time.time_ns()))
    profiler = cProfile.Profile()
    profiler.enable()
    for batch in reading.batches(found, BATCH):
        part_of(judge, batch)
    profiler.disable()
    out = io.StringIO()
    stats = pstats.Stats(profiler, stream=out)
    stats.sort_stats("tottime").print_stats(SLOWEST)
    print(out.getvalue())


def _graded(store: Store, suite: Suite, processes: int) -> Iterator[Figure]:
    """The main path but for settling, and apart from that its last step."""
    how = "one process" if processes == 1 else f"{processes or 'as many processes as cores'}"
    with Crew(processes) as crew:
        begin, used = time.perf_counter(), time.process_time()
        grading = look(store, suite, Options(quiet_seconds=None), crew)
        judged, used = time.perf_counter() - begin, time.process_time() - used
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)  # those that have ended
    if grading.decision.exit_code:
        raise SystemExit(grading.decision.text)
    begin = time.perf_counter()
    record(store, grading)
    recorded = time.perf_counter() - begin
    runs = grading.selected
    yield {
        "bench": f"rows read, judged, gathered: {how}", "runs/s": runs / judged, "seconds": judged, "runs": runs,
        "handed to workers": crew.handed * BATCH, "processor seconds": used,
        "and of workers": workers.ru_utime + workers.ru_stime,
    }  # fmt: skip
    yield {"bench": f"the same, and recorded: {how}", "runs/s": runs / (judged + recorded), "seconds": recorded}


if __name__ == "__main__":
    options = arguments(__doc__ or "", runs=10_000, processes=0, profile=0)
    show(figures(options.runs, options.processes, profile=options.profile), as_json=options.json)
