"""From fresh trees to rows, without a database."""

import dataclasses
import json

import pyarrow as pa

from collector.store.trees.changes import NO_RUN, Before, Newest, changes, identity
from tests.store import fake_trees

MADE_BY = identity({"assembler": "1"})


def built(*names: tuple[str, str, str]) -> fake_trees.FakeBuilt:
    """Trees of spans given as (trace, name, linked trace)."""
    links = [json.dumps([{"trace_id": wanted}] if wanted else []) for _, _, wanted in names]
    columns = {"trace_id": [n[0] for n in names], "name": [n[1] for n in names], "links": links}
    return fake_trees.build(pa.table(columns | {"resource": ["{}"] * len(names)}), pa.table({}))


def before(
    members: dict[str, set[str]] | None = None,
    newest: dict[str, Newest] | None = None,
    aliases: dict[str, str] | None = None,
    noted: frozenset[str] = frozenset(),
) -> Before:
    """What the store holds."""
    held = {run: frozenset(traces) for run, traces in (members or {}).items()}
    return Before(held, newest or {}, aliases or {}, frozenset(), {"a": 7_000}, noted)


def test_a_new_run_is_appended_with_its_build():
    """Rows of a new run carry the build's number, and its newest arrival."""
    tables = changes(built(("a", "agent", "")), ["a"], before(), build=4, upto=9)
    assert tables["canonical.runs"].select(["run_id", "build"]).to_pylist() == [{"run_id": "run-a", "build": 4}]
    assert tables["canonical.runs"]["last_arrival"].cast(pa.int64()).to_pylist() == [7_000]
    noted = {"trace_id": "a", "build": 4, "upto_seq": 9, "normalizer": MADE_BY, "dialects": []}
    assert tables["canonical.builds"].to_pylist() == [noted]
    named = {"runs", "run_members", "jobs", "builds", "normalizers"}
    assert tables.keys() == {f"canonical.{name}" for name in named}


def test_an_unchanged_run_gets_nothing():
    """Same digest and same members: only the note that the trace was looked at."""
    held = before({"run-a": {"a"}}, {"run-a": Newest(1, "1", None)}, noted=frozenset({MADE_BY}))
    assert changes(built(("a", "agent", "")), ["a"], held, 2, 9).keys() == {"canonical.builds"}


def test_a_run_whose_messages_alone_changed_is_written_anew():
    """A history that arrived late may change nothing else: the tree's digest does not cover messages."""
    held = before({"run-a": {"a"}}, {"run-a": Newest(1, "1", None, "other")}, noted=frozenset({MADE_BY}))
    tables = changes(built(("a", "agent", "")), ["a"], held, 2, 9)
    assert tables["canonical.runs"]["run_id"].to_pylist() == ["run-a"]
    assert tables["canonical.replaced"].to_pylist() == [{"run_id": "run-a", "build": 1}]


def test_a_run_that_vanishes_is_absorbed_by_the_one_that_holds_its_trace():
    """The old id, and the ids that it had absorbed, lead to the new run; all old builds are replaced."""
    held = before(
        {"run-b": {"b"}}, {"run-b": Newest(1, "1", None), "run-old": Newest(1, None, "run-b")}, {"run-old": "run-b"}
    )
    tables = changes(built(("a", "agent", ""), ("b", "agent", "a")), ["a", "b"], held, 2, 9)
    absorbed = {row["run_id"]: row["absorbed_by"] for row in tables["canonical.runs"].to_pylist() if row["absorbed_by"]}
    assert absorbed == {"run-b": "run-a", "run-old": "run-a"}
    assert {row["run_id"] for row in tables["canonical.replaced"].to_pylist()} == {"run-b", "run-old"}
    assert [row["key"] for row in tables["canonical.references"].to_pylist()] == ["a"]


def test_a_run_without_an_heir_ends():
    """Where no run holds its traces any more the old run is absorbed by none."""
    tables = changes(built(("a", "noise", "")), ["a"], before({"run-a": {"a"}}, {"run-a": Newest(1, "1", None)}), 2, 9)
    assert tables["canonical.runs"]["absorbed_by"].to_pylist() == [NO_RUN]


def test_the_parts_of_a_normalizer_are_noted_once():
    """A build names its normalizer and who spoke about each trace; the normalizer's parts stand with its first build."""
    made = fake_trees.build(
        pa.table({c: ["a"] for c in ("trace_id", "name")} | {"links": ["[]"], "resource": ["{}"]}), pa.table({})
    )
    spoke = pa.table({"trace_id": ["a"], "dialects": [["agno", "openinference"]]})
    made = dataclasses.replace(made, spoke=spoke, versions={"assembler": "1", "agno": "2"})
    name = identity(made.versions)
    tables = changes(made, ["a", "b"], before(), 1, 1)
    assert [(r["normalizer"], r["part"], r["version"]) for r in tables["canonical.normalizers"].to_pylist()] == [
        (name, "assembler", "1"),
        (name, "agno", "2"),
    ]
    noted = {r["trace_id"]: (r["normalizer"], r["dialects"]) for r in tables["canonical.builds"].to_pylist()}
    assert noted == {"a": (name, ["agno", "openinference"]), "b": (name, [])}
    assert "canonical.normalizers" not in changes(made, ["a"], before(noted=frozenset({name})), 2, 2)


def test_a_normalizer_is_known_by_its_parts():
    """Order does not matter, each part's version does, and a part is not taken for another's version."""
    assert identity({"a": "1", "b": "2"}) == identity({"b": "2", "a": "1"})
    others = [{"a": "1", "b": "3"}, {"a": "1"}, {"a": "1b", "2": ""}, {"a": "1", "b": "2", "c": ""}]
    assert len({identity(v) for v in ({"a": "1", "b": "2"}, *others)}) == 5
