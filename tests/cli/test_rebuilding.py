"""Acceptance 8: an edit in one dialect rebuilds the runs of that dialect, and makes stale only what really changed."""

import functools
from collections.abc import Generator
from pathlib import Path

import pyarrow as pa
import pytest

from collector import normalize
from collector.answer.local import LocalStore
from collector.answer.remote import RemoteStore
from collector.cli import rebuilding
from collector.cli.loading import Loading
from collector.cli.rebuilding import Outcome, compare, outdated, rebuild
from collector.message import Message
from collector.normalize.versions import NAMES, VERSIONS, sources, versions
from collector.store.protocol import Store
from collector.store.trees.builder import Here
from tests.answer.serving import endpoint

CAPTURES = {
    "pydantic": "pydantic-ai-v5__native__refund",
    "delegate": "pydantic-ai-v5-simple__native__delegate",
    "strands": "strands__native__refund",
    "crew": "crewai__openinference__refund",
}


def after_edit(dialect: str) -> dict[str, str]:
    """The versions after a comment was added to one dialect."""
    path = f"normalize/dialects/{dialect}.py"
    found = sources()
    return versions(found | {path: found[path] + b"\n# no-op\n"}, NAMES, "none")


OLD = after_edit("pydantic_ai")
"""The store's trees are built by these: to today's normalizer one dialect is another."""


@pytest.fixture
def path(data: Path, tmp_path: Path) -> Path:
    """A store of four captures, built by a normalizer with another version of the dialect `pydantic_ai`."""
    path = tmp_path / "tracegrade.duckdb"
    with LocalStore(path, builder=Here(functools.partial(normalize.build, versions=OLD))) as store:
        Loading(store).put([data / "captures" / name for name in CAPTURES.values()])
        store.settle()
        assert len(runs(store)) == 4
    return path


@pytest.fixture(params=["file", "collector"])
def store(path: Path, request: pytest.FixtureRequest) -> Generator[Store]:
    """The store, open here, or behind the read endpoint of another that has it open."""
    with LocalStore(path) as opened:
        if request.param == "file":
            yield opened
        else:
            with endpoint(opened, "secret") as url:
                yield RemoteStore(url, "secret")


def runs(store: Store) -> dict[str, tuple[str, int]]:
    """Digest and build of each run."""
    rows = store.query("runs", limit=100).to_pylist()
    return {row["run_id"]: (row["tree_digest"], row["build"]) for row in rows}


def dialects_of(store: Store, traces: list[str]) -> set[str]:
    """The dialects of the runs that hold these traces."""
    rows = store.query("runs", limit=100).to_pylist()
    return {name for row in rows if row["trace_id"] in traces for name in row["dialects"]}


def whole(outcomes: "Generator[Outcome] | list[Outcome]") -> Outcome:
    """All outcomes as one."""
    return rebuilding._sum(outcomes)


def test_a_no_op_edit_in_one_dialect_rebuilds_its_runs_alone_and_makes_no_verdict_stale(store: Store) -> None:
    """Only the runs of that dialect are outdated; they come out as before, so that every digest and build stays."""
    traces = outdated(store)
    assert len(traces) == 2
    assert "pydantic_ai" in dialects_of(store, traces)
    assert not {"strands", "crewai"} & dialects_of(store, traces)
    before = runs(store)
    outcome = whole(list(rebuild(store, traces)))
    assert (outcome.traces, outcome.same, outcome.changes) == (2, 2, [])
    assert runs(store) == before
    assert outdated(store) == []


def test_an_edit_of_what_is_shared_rebuilds_everything(data: Path) -> None:
    """Where a shared reader changed, all runs that a dialect spoke about are outdated."""
    found = sources()
    edited = versions(found | {"normalize/values.py": b""}, NAMES, "none")
    with LocalStore(":memory:", builder=Here(functools.partial(normalize.build, versions=edited))) as store:
        Loading(store).put([data / "captures" / name for name in CAPTURES.values()])
        store.settle()
        assert len(outdated(store)) == 4


def test_a_look_shows_what_would_change_and_writes_nothing(store: Store) -> None:
    """A normalizer that reads one fact otherwise: that fact is shown, before and after, and the store stays as it is."""
    before = runs(store)
    outcome = whole(list(compare(store, outdated(store, every=True), louder)))
    assert (outcome.traces, outcome.same, len(outcome.changes)) == (4, 0, 4)
    assert {change.kind for change in outcome.changes} == {"changed"}
    assert all([fact.path for fact in change.facts] == ["root.reply"] for change in outcome.changes)
    assert all(fact.after == fact.before.upper() for change in outcome.changes for fact in change.facts)
    assert runs(store) == before
    assert len(outdated(store)) == 2


def test_a_look_without_changes_says_so(store: Store) -> None:
    """Trees that today's normalizer would build as they are count as the same."""
    outcome = whole(list(compare(store, outdated(store, every=True))))
    assert (outcome.traces, outcome.same, outcome.changes, outcome.failed) == (4, 4, [], [])


def test_a_look_tells_of_messages_that_would_change(store: Store) -> None:
    """Messages are no part of the tree: that they would change is said beside the tree's facts."""
    outcome = whole(list(compare(store, outdated(store, every=True), chattier)))
    assert len(outcome.changes) == 4
    assert all([fact.path for fact in change.facts] == ["messages"] for change in outcome.changes)


def test_a_trace_that_breaks_the_normalizer_is_named(store: Store) -> None:
    """The others are compared, whatever one trace does."""
    bad = outdated(store)[0]

    def build(spans: pa.Table, logs: pa.Table) -> normalize.Built:
        if bad in spans["trace_id"].to_pylist():
            raise ValueError("planned")
        return normalize.build(spans, logs)

    outcome = whole(list(compare(store, outdated(store, every=True), build)))
    assert (outcome.failed, outcome.same) == ([bad], 3)


def louder(spans: pa.Table, logs: pa.Table) -> normalize.Built:
    """Today's normalizer, but replies are in upper case."""
    trees = normalize.trees(spans, logs)
    for run in trees:
        run.root.reply = run.root.reply.upper()
        run.digest = "louder"
    return normalize.lay_out(trees, [], {}, VERSIONS)


def chattier(spans: pa.Table, logs: pa.Table) -> normalize.Built:
    """Today's normalizer, but everybody says goodbye."""
    trees = normalize.trees(spans, logs)
    for run in trees:
        run.root.messages.append(Message("user", "goodbye"))
    return normalize.lay_out(trees, [], {}, VERSIONS)
