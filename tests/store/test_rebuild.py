"""After an upgrade: which trees are built again, when, and what of them is written."""

import dataclasses
import logging
import time
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pytest

from collector.answer.local import LocalStore
from collector.store.trees.builder import Here
from collector.store.trees.changes import identity
from collector.store.trees.settle import SettleTimes
from tests.store import fake_trees
from tests.store.rows import span, spans
from tests.store.trees.test_settle import deliver, link, rows

OLD = {"assembler": "1", "agno": "1", "crewai": "1"}
AGNO, CREWAI, NOBODY = (f"{trace:032x}" for trace in (1, 2, 3))
SPEAKERS = {AGNO: ["agno"], CREWAI: ["crewai"], NOBODY: []}


def normalizer(versions: Mapping[str, str], digest: str = "", poison: str = "") -> Here:
    """A normalizer of these versions; `digest` is what it makes of every tree, `poison` a trace that it cannot build."""

    def build(evidence: pa.Table, logs: pa.Table) -> fake_trees.FakeBuilt:
        made = fake_trees.build(evidence, logs)
        traces = sorted(set(evidence["trace_id"].to_pylist()))
        if poison in traces:
            raise ValueError("planned")
        spoke = pa.table(
            {"trace_id": traces, "dialects": pa.array([SPEAKERS.get(t, []) for t in traces], pa.list_(pa.string()))}
        )
        runs = made.tables["runs"]
        if digest:
            column = pa.array([digest] * runs.num_rows, pa.string())
            runs = runs.set_column(runs.column_names.index("tree_digest"), "tree_digest", column)
        tables = made.tables | {"runs": runs}
        return dataclasses.replace(made, spoke=spoke, versions=dict(versions), tables=tables)

    return Here(build)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with three traces, built by OLD: of Agno, of CrewAI, and one that no dialect spoke about."""
    path = tmp_path / "a.duckdb"
    with LocalStore(path, builder=normalizer(OLD)) as store:
        for trace in (1, 2, 3):
            deliver(store, trace, 1)
        store.settle()
    return path


def outdated(store: LocalStore, versions: Mapping[str, str], **more: bool) -> list[str]:
    """The traces that the fixed read names."""
    named = {"parts": list(versions), "versions": list(versions.values())}
    return store.query("settle/outdated", **named, **more)["trace_id"].to_pylist()


@pytest.mark.parametrize(
    ("today", "expected"),
    [
        (OLD, []),
        (OLD | {"agno": "2"}, [AGNO]),
        (OLD | {"agno": "2", "crewai": "2"}, [AGNO, CREWAI]),
        (OLD | {"assembler": "2"}, [AGNO, CREWAI, NOBODY]),
        (OLD | {"mastra": "1"}, [AGNO, CREWAI, NOBODY]),
        ({part: version for part, version in OLD.items() if part != "crewai"}, [CREWAI]),
    ],
    ids=["the same", "one dialect", "two dialects", "the assembler", "a new dialect", "a dialect that went"],
)
def test_only_trees_that_a_changed_part_made_are_outdated(path: Path, today: Mapping[str, str], expected: list[str]):
    """A dialect has a hand in the traces that it spoke about; the assembler, and a dialect of late, in all."""
    with LocalStore(path, builder=normalizer(today)) as store:
        assert outdated(store, today) == expected
        assert outdated(store, today, all=True) == [AGNO, CREWAI, NOBODY]


def test_a_tree_that_comes_out_as_before_is_not_written_again(path: Path):
    """After a change without effect the run's rows stay as they are; a row of the builds says who looked at it last."""
    today = OLD | {"agno": "2"}
    with LocalStore(path, builder=normalizer(today)) as store:
        before = rows(store, "canonical.runs"), rows(store, "canonical.jobs"), rows(store, "canonical.replaced")
        store.rebuild(outdated(store, today))
        assert (
            rows(store, "canonical.runs"),
            rows(store, "canonical.jobs"),
            rows(store, "canonical.replaced"),
        ) == before
        builds = [row for row in rows(store, "canonical.builds") if row["trace_id"] == AGNO]
        assert [row["normalizer"] for row in builds] == [identity(OLD), identity(today)]
        assert len(rows(store, "canonical.builds")) == 4
        assert outdated(store, today) == []


def test_a_tree_that_changes_gets_a_new_build(path: Path):
    """Where the new version sees more, the run has a new digest, and the old build is replaced."""
    today = OLD | {"crewai": "2"}
    with LocalStore(path, builder=normalizer(today, "better")) as store:
        store.rebuild([CREWAI])
        digests = {row["trace_id"]: row["tree_digest"] for row in rows(store, "runs")}
        assert digests == {AGNO: "1", CREWAI: "better", NOBODY: "1"}


def test_traces_that_were_never_built_are_not_made_up(path: Path):
    """Ids that the store does not know change nothing."""
    with LocalStore(path, builder=normalizer(OLD)) as store:
        store.rebuild([f"{99:032x}", "nonsense"])
        assert len(rows(store, "canonical.builds")) == 3


def test_what_is_named_is_brought_up_to_date(path: Path):
    """Settling a trace by its id rebuilds its old tree; settling at large leaves old trees to the background."""
    today = OLD | {"assembler": "2"}
    with LocalStore(path, builder=normalizer(today)) as store:
        store.settle()
        assert outdated(store, today) == [AGNO, CREWAI, NOBODY]
        store.settle([f"run-{CREWAI}"])
        assert outdated(store, today) == [AGNO, NOBODY]


def test_in_the_background_old_trees_follow_what_is_fresh(path: Path, caplog: pytest.LogCaptureFixture):
    """A running store rebuilds what is outdated by itself, says how much, and leaves the rest alone."""
    caplog.set_level(logging.INFO)
    today, times = OLD | {"agno": "2"}, SettleTimes(quiet=0.02, longest=1, look=0.02)
    with LocalStore(path, builder=normalizer(today, "better"), times=times, background=True) as store:
        deliver(store, 7, 1)
        deadline = time.monotonic() + 20
        while (len(rows(store, "runs")) < 4 or outdated(store, today)) and time.monotonic() < deadline:
            time.sleep(0.02)
        digests = {row["trace_id"]: row["tree_digest"] for row in rows(store, "runs")}
        assert digests == {AGNO: "better", CREWAI: "1", NOBODY: "1", f"{7:032x}": "better"}
    assert "1 traces were built by an older version" in caplog.text


def test_a_trace_that_cannot_be_built_keeps_its_tree(path: Path):
    """The new version fails on one trace: its old tree stays, the others are rebuilt, and it is outdated still."""
    today = OLD | {"assembler": "2"}
    with LocalStore(path, builder=normalizer(today, "better", AGNO)) as store:
        store.rebuild([AGNO, CREWAI, NOBODY])
        assert outdated(store, today) == [AGNO]
        assert store.settle() == []  # what happened in it is in a run still
        assert {row["trace_id"]: row["tree_digest"] for row in rows(store, "runs")}[AGNO] == "1"


def test_connected_traces_are_rebuilt_together(tmp_path: Path):
    """Where one trace of a run is outdated, the whole run is built and noted."""
    path = tmp_path / "b.duckdb"
    with LocalStore(path, builder=normalizer(OLD)) as store:
        store.ingest(spans(span(1, 1, name="agent"), span(2, 1, name="agent", links=link(AGNO)))).result()
        store.settle()
    today = OLD | {"agno": "2"}
    with LocalStore(path, builder=normalizer(today, "better")) as store:
        store.rebuild(outdated(store, today))
        assert [(row["run_id"], row["tree_digest"]) for row in rows(store, "runs")] == [(f"run-{AGNO}", "better")]
        assert {row["normalizer"] for row in rows(store, "canonical.builds") if row["build"] == 2} == {identity(today)}
        assert len(rows(store, "canonical.builds")) == 4
