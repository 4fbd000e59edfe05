"""Batches under way at the same time: the trees are those of one batch after the other."""

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.answer.local import LocalStore
from collector.store.errors import BadAppend, StoreError, Unavailable
from collector.store.trees.builder import Building, Here, Worker
from collector.store.trees.changes import Tables
from collector.store.trees.pipeline import Pipeline
from collector.store.trees.settle import SettleTimes
from tests.store import fake_trees
from tests.store.rows import span, spans
from tests.store.trees.test_settle import CHILD, PARENT, deliver, link, rows

OTHER = f"{5:032x}"


@pytest.fixture
def store():
    """A store in memory whose trees are made by the fake normalizer."""
    with LocalStore(":memory:", builder=Here(fake_trees.build)) as opened:
        yield opened


def pipeline(store: LocalStore) -> Pipeline:
    """The store's own: nobody else uses it, since nothing is settled in the background."""
    return store.settler._pipeline


def trees(store: LocalStore) -> dict[str, tuple[Any, ...]]:
    """What the runs are: their digests and their traces."""
    found: dict[str, tuple[Any, ...]] = {row["run_id"]: (row["tree_digest"],) for row in rows(store, "runs")}
    for row in rows(store, "run_members"):
        found[row["run_id"]] += ((row["trace_id"], row["reason"]),)
    return found


def test_nothing_is_stored_before_a_batch_is_finished(store: LocalStore):
    """Two batches are under way at once; each is committed in its turn, and its traces are dirty until then."""
    deliver(store, 1, 1)
    deliver(store, 5, 1)
    line = pipeline(store)
    assert line.start([PARENT]) == line.start([OTHER]) == set()
    assert (len(line), line.full, line.traces, rows(store, "runs")) == (2, True, {PARENT, OTHER}, [])
    assert store.settler.pending.all() == [PARENT, OTHER]
    assert line.finish() == {PARENT}
    assert (list(trees(store)), store.settler.pending.all()) == ([f"run-{PARENT}"], [OTHER])
    assert line.drain() == {OTHER}
    assert len(rows(store, "runs")) == 2


def test_a_third_batch_waits_for_the_first(store: LocalStore):
    """No more than two are under way: evidence in memory stays bounded."""
    for trace in (1, 2, 3):
        deliver(store, trace, 1)
    line = pipeline(store)
    line.start([PARENT])
    line.start([CHILD])
    assert line.start([f"{3:032x}"]) == {PARENT}
    assert line.traces == {CHILD, f"{3:032x}"}


def test_batches_under_way_share_no_trace(store: LocalStore):
    """A batch whose traces are connected with some that are under way begins when those are committed."""
    for trace, links in ((1, "[]"), (2, link(PARENT))):
        deliver(store, trace, 1, links=links)
        store.settle()
    deliver(store, 1, 2)
    deliver(store, 2, 2)
    line = pipeline(store)
    line.start([PARENT])
    assert line.traces == {PARENT, CHILD}
    assert line.start([CHILD]) == {PARENT, CHILD}
    assert len(line) == 1
    line.drain()
    assert trees(store) == {f"run-{PARENT}": ("4", (PARENT, "root"), (CHILD, "link"))}


@pytest.mark.parametrize("order", [(PARENT, CHILD), (CHILD, PARENT)])
def test_batches_that_turn_out_to_be_connected_become_one_run(store: LocalStore, order: tuple[str, str]):
    """Links are known when a trace was built: a run is whole although its two traces were under way apart."""
    deliver(store, 1, 1)
    deliver(store, 2, 1, links=link(PARENT))
    line = pipeline(store)
    for trace in order:
        line.start([trace])
    line.drain()
    assert trees(store) == {f"run-{PARENT}": ("2", (PARENT, "root"), (CHILD, "link"))}
    assert len(store.settler.pending) == 0


@settings(max_examples=10, deadline=None)
@given(
    links=st.lists(st.integers(0, 6), min_size=6, max_size=6),
    steps=st.lists(st.tuples(st.integers(1, 6), st.booleans()), min_size=1, max_size=14),
)
def test_the_trees_are_those_of_building_everything_at_once(links: list[int], steps: list[tuple[int, bool]]):
    """Whatever arrives, is linked, started and finished when: at the end the trees are as if built in one go."""
    with (
        LocalStore(":memory:", builder=Here(fake_trees.build)) as piped,
        LocalStore(":memory:", builder=Here(fake_trees.build)) as whole,
    ):
        for number, (trace, finish) in enumerate(steps):
            wanted = links[trace - 1] % trace  # an earlier one, or none: never in a circle
            row = span(trace, number, name="agent", links=link(f"{wanted:032x}") if wanted else "[]")
            for store in (piped, whole):
                store.ingest(spans(row)).result()
            line = pipeline(piped)
            if left := [t for t in piped.settler.pending.all() if t not in line.traces][:2]:
                line.start(left)
            if finish:
                line.finish()
        piped.settle()
        whole.settle()
        assert trees(piped) == trees(whole)
        assert len(piped.settler.pending) == 0


def test_what_arrives_meanwhile_is_dirty_still(store: LocalStore):
    """Evidence that came after a batch was read is not in its trees, and its trace waits for the next."""
    deliver(store, 1, 1)
    line = pipeline(store)
    line.start([PARENT])
    deliver(store, 1, 2)
    line.drain()
    assert (trees(store)[f"run-{PARENT}"][0], store.settler.pending.all()) == ("1", [PARENT])
    store.settle()
    assert trees(store)[f"run-{PARENT}"][0] == "2"


def test_who_settles_a_trace_that_is_under_way_gets_the_newest_tree(store: LocalStore):
    """What was read before is committed first: it never replaces the tree that somebody asked for since."""
    deliver(store, 1, 1)
    line = pipeline(store)
    line.start([PARENT])
    deliver(store, 1, 2)
    assert store.settle([PARENT]) == []
    assert len(line) == 0
    assert [(row["tree_digest"], row["build"]) for row in rows(store, "runs")] == [("2", 2)]


def test_a_trace_that_cannot_be_built_holds_up_no_other_batch(store: LocalStore, caplog: pytest.LogCaptureFixture):
    """The batch with it is built without it, and the batch behind it as it is."""
    for trace in (1, 2, 3, 5):
        deliver(store, trace, 1, name="poison" if trace == 2 else "agent")
    line = pipeline(store)
    line.start([PARENT, CHILD, f"{3:032x}"])
    line.start([OTHER])
    assert line.drain() == {PARENT, CHILD, f"{3:032x}", OTHER}
    assert [row["run_id"] for row in rows(store, "runs")] == [f"run-{trace:032x}" for trace in (1, 3, 5)]
    assert store.settle() == [CHILD]
    assert CHILD in caplog.text


def test_connected_traces_that_cannot_be_built_end(store: LocalStore):
    """Where a whole component fails each of its traces is given up, once."""
    for trace, links in ((1, "[]"), (2, link(PARENT))):
        deliver(store, trace, 1, links=links)
    store.settle()
    deliver(store, 2, 2, name="poison")
    deliver(store, 1, 2)
    assert store.settle() == [PARENT, CHILD]
    assert trees(store) == {f"run-{PARENT}": ("2", (PARENT, "root"), (CHILD, "link"))}


def test_a_trace_that_failed_is_built_with_all_of_its_evidence(tmp_path: Path):
    """What was given up before is read again from its first commit when new evidence comes."""

    def build(evidence: Any, logs: Any) -> fake_trees.FakeBuilt:
        if evidence.num_rows == 1:
            raise ValueError("planned")
        return fake_trees.build(evidence, logs)

    with LocalStore(tmp_path / "a.duckdb", builder=Here(build)) as store:
        deliver(store, 1, 1)
        assert store.settle() == [PARENT]
        deliver(store, 1, 2)
        assert store.settle() == []
        assert trees(store)[f"run-{PARENT}"][0] == "2"


@pytest.mark.parametrize("error", [Unavailable("planned"), BadAppend("planned")], ids=["busy", "refused"])
def test_a_batch_that_cannot_be_appended(store: LocalStore, error: StoreError):
    """A busy store is tried again later; tables that it refuses are left out, and the batch behind is built either way."""
    deliver(store, 1, 1)
    deliver(store, 5, 1)

    def append(tables: Tables) -> None:
        if PARENT in tables["canonical.builds"]["trace_id"].to_pylist():
            raise error
        store.writer.append(tables, None).result()

    line = pipeline(store)
    real, line._append = line._append, append
    line.start([PARENT])
    line.start([OTHER])
    if isinstance(error, Unavailable):
        with pytest.raises(Unavailable):
            line.finish()
        assert line.drain() == {OTHER}
        assert store.settler.pending.all() == [PARENT]
    else:
        assert line.drain() == {PARENT, OTHER}
        assert store.settle() == [PARENT]
        deliver(store, 1, 2)
    line._append = real
    assert store.settle() == []
    assert len(rows(store, "runs")) == 2


def test_batches_that_are_dropped_are_built_later(store: LocalStore):
    """Nothing of them is stored, and their traces are as dirty as before."""
    deliver(store, 1, 1)
    line = pipeline(store)
    line.start([PARENT])
    line.drop()
    assert (len(line), rows(store, "runs"), store.settler.pending.all()) == (0, [], [PARENT])
    store.settle()
    assert len(rows(store, "runs")) == 1


class Slow(Here):
    """Builds one after the other in a thread of its own, and takes its time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(fake_trees.build)
        self._seconds = seconds
        self.started = threading.Event()

    def start(self, spans: Any, logs: Any) -> Building:
        """Begin after a while."""
        self.started.set()
        time.sleep(self._seconds)
        return super().start(spans, logs)


def test_closing_in_the_middle_keeps_what_is_under_way(tmp_path: Path):
    """A store that is closed while batches are under way commits them; the rest is dirty when it is opened again."""
    builder = Slow(0.1)
    times = SettleTimes(quiet=0.02, longest=1, look=0.02)
    path = tmp_path / "a.duckdb"
    with LocalStore(path, builder=builder, times=times, background=True) as store:
        deliver(store, 1, 1)
        assert builder.started.wait(20)
        deliver(store, 5, 1)
    with LocalStore(path, builder=Here(fake_trees.build)) as store:
        assert f"run-{PARENT}" in trees(store)
        store.settle()
        assert trees(store) == {f"run-{t}": ("1", (t, "root")) for t in (PARENT, OTHER)}


def test_a_real_worker_builds_what_is_under_way(tmp_path: Path):
    """With a worker process the trees are the same, in the background and for who settles meanwhile."""
    times = SettleTimes(quiet=0.02, longest=1, look=0.02)
    with LocalStore(tmp_path / "a.duckdb", builder=Worker(fake_trees.build), times=times, background=True) as store:
        for trace in range(1, 30):
            deliver(store, trace, 1)
            if trace % 7 == 0:
                store.settle([f"{trace:032x}"])
                assert store.query("run", id=f"{trace:032x}").num_rows == 1
        store.settle()
        assert len(rows(store, "runs")) == 29
        assert len(rows(store, "canonical.runs")) == 29
