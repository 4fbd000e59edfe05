"""Building trees here and in a worker process."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pyarrow as pa
import pytest

from collector.store.trees.builder import Here, Worker
from tests.store import fake_trees

SPANS = pa.table({"trace_id": ["a"], "name": ["agent"], "links": ["[]"], "resource": ["{}"]})
POISON = SPANS.set_column(1, "name", pa.array(["poison"]))


@pytest.mark.parametrize("builder", [Here(fake_trees.build), Worker(fake_trees.build)], ids=["here", "worker"])
def test_it_builds_and_passes_errors_on(builder: Here | Worker):
    """Both give the normalizer's tables, and raise what it raises."""
    assert builder.build(SPANS, pa.table({})).tables["runs"]["run_id"].to_pylist() == ["run-a"]
    with pytest.raises(ValueError, match="planned"):
        builder.build(POISON, pa.table({}))
    begun = [builder.start(SPANS, pa.table({})), builder.start(POISON, pa.table({}))]
    assert begun[0].result().tables["runs"].num_rows == 1
    with pytest.raises(ValueError, match="planned"):
        begun[1].result()
    builder.close()
    builder.close()


def test_a_worker_that_died_is_replaced():
    """After its process was killed the next build has a new one."""
    worker = Worker(fake_trees.build)
    worker.build(SPANS, pa.table({}))
    assert worker._pool is not None
    for pid in list(worker._pool._processes):
        os.kill(pid, signal.SIGKILL)
    assert worker.build(SPANS, pa.table({})).tables["runs"].num_rows == 1
    worker.close()


def test_what_a_dead_worker_held_is_built_by_the_next():
    """Of two builds under way when the process was killed both come out, of one fresh process."""
    worker = Worker(fake_trees.build)
    worker.build(SPANS, pa.table({}))
    assert worker._pool is not None
    for pid in list(worker._pool._processes):
        os.kill(pid, signal.SIGSTOP)
    builds = [worker.start(SPANS, pa.table({})), worker.start(POISON, pa.table({})), worker.start(SPANS, pa.table({}))]
    for pid in list(worker._pool._processes):
        os.kill(pid, signal.SIGKILL)
    assert builds[0].result().tables["runs"].num_rows == 1
    with pytest.raises(ValueError, match="planned"):
        builds[1].result()
    fresh = worker._pool
    assert builds[2].result().tables["runs"].num_rows == 1
    assert worker._pool is fresh
    worker.close()


def test_a_worker_does_not_outlive_its_collector():
    """When the process that started it is killed the worker ends too."""
    code = (
        "import time, pyarrow as pa\n"
        "from collector.store.trees.builder import Worker\n"
        "from tests.store.trees.test_builder import SPANS, fake_trees\n"
        "if __name__ == '__main__':\n"
        "    worker = Worker(fake_trees.build); worker.build(SPANS, pa.table({}))\n"
        "    print(*worker._pool._processes, flush=True); time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent.stdout:
        child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 30
    while psutil.pid_exists(child) and psutil.Process(child).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline, "the worker still runs"
        time.sleep(0.05)
