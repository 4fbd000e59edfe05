"""From fresh trees to rows, without a database."""

import json

import pyarrow as pa

from collector.store.changes import NO_RUN, Before, Newest, changes
from tests.store import fake_trees


def built(*names: tuple[str, str, str]) -> fake_trees.FakeBuilt:
    """Trees of spans given as (trace, name, linked trace)."""
    links = [json.dumps([{"trace_id": wanted}] if wanted else []) for _, _, wanted in names]
    columns = {"trace_id": [n[0] for n in names], "name": [n[1] for n in names], "links": links}
    return fake_trees.build(pa.table(columns | {"resource": ["{}"] * len(names)}), pa.table({}))


def before(
    members: dict[str, set[str]] | None = None,
    newest: dict[str, Newest] | None = None,
    aliases: dict[str, str] | None = None,
) -> Before:
    """What the store holds."""
    held = {run: frozenset(traces) for run, traces in (members or {}).items()}
    return Before(held, newest or {}, aliases or {}, frozenset(), {"a": 7_000})


def test_a_new_run_is_appended_with_its_build():
    """Rows of a new run carry the build's number, and its newest arrival."""
    tables = changes(built(("a", "agent", "")), ["a"], before(), build=4, upto=9)
    assert tables["canonical.runs"].select(["run_id", "build"]).to_pylist() == [{"run_id": "run-a", "build": 4}]
    assert tables["canonical.runs"]["last_arrival"].cast(pa.int64()).to_pylist() == [7_000]
    assert tables["canonical.builds"].to_pylist() == [{"trace_id": "a", "build": 4, "upto_seq": 9}]
    assert tables.keys() == {"canonical.runs", "canonical.run_members", "canonical.jobs", "canonical.builds"}


def test_an_unchanged_run_gets_nothing():
    """Same digest and same members: only the note that the trace was looked at."""
    held = before({"run-a": {"a"}}, {"run-a": Newest(1, "1", None)})
    assert changes(built(("a", "agent", "")), ["a"], held, 2, 9).keys() == {"canonical.builds"}


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
