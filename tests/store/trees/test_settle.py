"""Trees that follow the evidence: joined, rebuilt, absorbed, and left alone where nothing changed."""

import threading
import time
from itertools import count
from json import dumps
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from collector.answer.local import LocalStore
from collector.store.trees.builder import Here
from collector.store.trees.changes import Built
from collector.store.trees.settle import SettleTimes
from tests.store import fake_trees
from tests.store.rows import span, spans

MOST_LATE = 20
"""Traces that keep coming while others are built, where a fault would wait for all of them."""

PARENT, CHILD = f"{1:032x}", f"{2:032x}"


@pytest.fixture
def store():
    """A store in memory whose trees are made by the fake normalizer."""
    with LocalStore(":memory:", builder=Here(fake_trees.build)) as opened:
        yield opened


def deliver(store: LocalStore, trace: int, *numbers: int, **values: Any) -> None:
    """Store spans of one trace."""
    store.ingest(spans(*(span(trace, number, **{"name": "agent"} | values) for number in numbers))).result()


def link(trace: str) -> str:
    """The links of a span that names one trace."""
    return f'[{{"trace_id":"{trace}","span_id":"{1:016x}"}}]'


def rows(store: LocalStore, table: str) -> list[dict[str, Any]]:
    """What a view or a table holds."""
    cursor = store.database.cursor()
    cursor.execute(f"SELECT * FROM {table} ORDER BY ALL")
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_linked_traces_are_one_run_in_either_order(store: LocalStore, order: tuple[int, int]):
    """A parent and its linked child, settled in between, end as one run; a child that came first is an alias."""
    for trace in order:
        deliver(store, trace, 1, links=link(PARENT) if trace == 2 else "[]")
        store.settle()
    assert [row["run_id"] for row in rows(store, "runs")] == [f"run-{PARENT}"]
    members = {row["trace_id"]: row["reason"] for row in rows(store, "run_members")}
    assert members == {PARENT: "root", CHILD: "link"}
    aliases = [(row["alias"], row["run_id"]) for row in rows(store, "run_aliases")]
    assert aliases == ([] if order == (1, 2) else [(f"run-{CHILD}", f"run-{PARENT}")])
    assert [row["job_id"] for row in rows(store, "jobs")] == [PARENT, CHILD]


def test_an_alias_is_handed_on(store: LocalStore):
    """When a run that absorbed another is absorbed itself, both old ids lead to the new run."""
    for trace, wanted in ((3, 2), (2, 1), (1, 0)):
        deliver(store, trace, 1, links=link(f"{wanted:032x}") if wanted else "[]")
        store.settle()
    aliases = {row["alias"]: row["run_id"] for row in rows(store, "run_aliases")}
    assert aliases == {f"run-{3:032x}": f"run-{PARENT}", f"run-{CHILD}": f"run-{PARENT}"}
    assert store.query("run", id=f"run-{3:032x}")["run_id"].to_pylist() == [f"run-{PARENT}"]


def test_an_unchanged_tree_is_not_stored_again(store: LocalStore):
    """New evidence that changes no tree adds a row to the builds and nothing else."""
    deliver(store, 1, 1)
    store.settle()
    before = rows(store, "canonical.runs"), rows(store, "canonical.jobs"), rows(store, "canonical.replaced")
    deliver(store, 1, 2, name="noise")
    store.settle()
    assert (rows(store, "canonical.runs"), rows(store, "canonical.jobs"), rows(store, "canonical.replaced")) == before
    assert len(rows(store, "canonical.builds")) == 2


def test_a_grown_tree_replaces_the_old_build(store: LocalStore):
    """A run that grew has one row to read, and the old build stays below."""
    deliver(store, 1, 1)
    store.settle()
    deliver(store, 1, 2)
    store.settle([PARENT])
    assert [(row["tree_digest"], row["build"]) for row in rows(store, "runs")] == [("2", 2)]
    assert len(rows(store, "canonical.runs")) == 2


def test_what_was_dirty_at_the_end_is_dirty_at_the_start(tmp_path: Path):
    """Traces that got no tree before the store was closed get it after reopening, others are not built again."""
    path = tmp_path / "a.duckdb"
    with LocalStore(path, builder=Here(fake_trees.build)) as store:
        deliver(store, 1, 1)
        store.settle()
        deliver(store, 2, 1)
    with LocalStore(path, builder=Here(fake_trees.build)) as store:
        assert store.settler.pending.all() == [CHILD]
        store.settle()
        assert len(rows(store, "runs")) == 2
        assert len(store.settler.pending) == 0


def test_a_trace_that_breaks_the_normalizer_holds_up_no_other(store: LocalStore, caplog: pytest.LogCaptureFixture):
    """Of several traces in one batch the one that cannot be built is logged, by its id alone, and the others are built."""
    for trace in range(1, 6):
        deliver(store, trace, 1, name="poison" if trace == 3 else "agent")
    assert store.settle() == [f"{3:032x}"]
    assert store.settle([PARENT]) == []
    assert len(rows(store, "runs")) == 4
    assert len(store.settler.pending) == 0
    assert [row["trace_id"] for row in rows(store, "canonical.builds") if row["trace_id"] == f"{3:032x}"] == []
    assert f"{3:032x}" in caplog.text
    assert "planned" not in caplog.text


def test_settling_all_ends_while_new_traces_keep_coming():
    """What was there at the call is built, and the call returns: traces that arrive meanwhile wait for the next.

    Each batch brings a new trace before it is built, so that there is always one more to build.
    """
    numbers, late = count(10), list[int]()

    def busy(spans_: pa.Table, logs_: pa.Table) -> Built:
        if spans_.num_rows and len(late) < MOST_LATE:
            late.append(next(numbers))
            feeder = threading.Thread(target=deliver, args=(opened, late[-1], 1))
            feeder.start()
            feeder.join()
        return fake_trees.build(spans_, logs_)

    with LocalStore(":memory:", builder=Here(busy)) as opened:
        deliver(opened, 1, 1)
        deliver(opened, 2, 1)
        opened.settle()
        built = {row["trace_id"] for row in rows(opened, "runs")}
        assert built >= {PARENT, CHILD}
        assert 1 <= len(late) <= 2
        assert opened.settler.pending.all() == [f"{number:032x}" for number in late]


def test_settling_one_trace_leaves_the_others(store: LocalStore):
    """Only the named trace is built, and what is connected with it."""
    deliver(store, 1, 1)
    deliver(store, 5, 1)
    store.settle([PARENT])
    assert store.settler.pending.all() == [f"{5:032x}"]
    store.settle([f"run-{5:032x}"])
    assert store.settler.pending.all() == [f"{5:032x}"]  # the run is not known before its tree is
    store.settle()
    assert len(rows(store, "runs")) == 2


def test_traces_settle_by_themselves(tmp_path: Path):
    """In the background a trace gets its tree after it fell silent, without anybody asking."""
    times = SettleTimes(quiet=0.05, longest=1, look=0.02)
    with LocalStore(tmp_path / "a.duckdb", builder=Here(fake_trees.build), times=times, background=True) as store:
        deliver(store, 1, 1)
        deadline = time.monotonic() + 20
        while not rows(store, "runs") and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(rows(store, "runs")) == 1


def test_a_run_says_when_its_newest_evidence_arrived(store: LocalStore):
    """`last_arrival` of a run is the commit time of the newest evidence of its traces."""
    deliver(store, 1, 1)
    store.settle()
    commits = [row["committed_at"] for row in rows(store, "evidence.commits") if row["spans"]]
    assert [row["last_arrival"] for row in rows(store, "runs")] == commits


@pytest.mark.parametrize("parent_first", [True, False])
def test_a_linked_child_joins_with_the_real_normalizer(parent_first: bool):
    """A parent and its linked child in another trace, settled in between, have one run id in either order."""
    agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.provider.name": "openai"}
    parent = span(1, 1, name="invoke_agent boss", attributes=dumps(agent | {"gen_ai.agent.name": "boss"}))
    child = span(
        2, 1, name="invoke_agent aide", attributes=dumps(agent | {"gen_ai.agent.name": "aide"}), links=link(PARENT)
    )
    with LocalStore(":memory:") as store:
        ids = []
        for row in (parent, child) if parent_first else (child, parent):
            store.ingest(spans(row)).result()
            store.settle([row["trace_id"]])
            ids += store.query("run", id=row["trace_id"])["run_id"].to_pylist()
        (run,) = store.query("run", id=PARENT).to_pylist()
        members = {row["trace_id"]: row["reason"] for row in rows(store, "run_members")}
        assert members == {PARENT: "root", CHILD: "link"}
        assert run["jobs"] == 2
        assert rows(store, "run_aliases") == ([] if parent_first else [{"alias": ids[0], "run_id": run["run_id"]}])
        assert store.query("run", id=ids[0])["run_id"].to_pylist() == [run["run_id"]]
        assert store.query("run_beginning", id=CHILD[:31])["run_id"].to_pylist() == [run["run_id"]]
