"""Trees → rows of the canonical tables."""

from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from collector import normalize, tree_text
from collector.normalize.rows import REFERENCES, TABLES, Built
from tests import captures
from tests.normalize.spans import Row, agent, chat, logs, says, table, tool, user

SCHEMA = Path(normalize.__file__).parents[1] / "store" / "schema.sql"
OF_THE_STORE = {"build", "absorbed_by", "last_arrival"}


@pytest.fixture(scope="module")
def store() -> Any:
    """An empty store."""
    connection = duckdb.connect(":memory:")
    connection.execute(SCHEMA.read_text())
    return connection


def columns(store: Any, name: str) -> dict[str, str]:
    """A canonical table's columns and types, without those that the store fills."""
    told = store.execute(
        "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'canonical' AND table_name = ?",
        [name],
    ).fetchall()
    return {column: kind for column, kind in told if column not in OF_THE_STORE}


def build(*rows: Row) -> Built:
    """Hand-written spans as canonical rows."""
    return normalize.build(table(rows), logs())


def first(built: Built, name: str) -> dict[str, Any]:
    """The first row of a table, without times (Python has no nanoseconds)."""
    held = built.tables[name]
    return held.select([f.name for f in held.schema if not pa.types.is_timestamp(f.type)]).to_pylist()[0]


@pytest.mark.parametrize("name", TABLES)
def test_columns_are_those_of_the_schema(store: Any, name: str) -> None:
    """Each table has exactly the columns that the store's schema has, of the same types."""
    empty = TABLES[name].empty_table()
    store.register("empty", empty)
    described = {column: kind for column, kind, *_ in store.execute("DESCRIBE SELECT * FROM empty").fetchall()}
    assert described == columns(store, name)


def test_references_have_the_schemas_columns(store: Any) -> None:
    """What traces offer and want is stored under the same names."""
    assert set(REFERENCES.names) == set(columns(store, "references"))


@pytest.mark.parametrize("name", captures.NAMES)
def test_rows_agree_with_the_trees(name: str) -> None:
    """Every job and every call of a tree is a row, and the run's row holds the tree itself."""
    capture = captures.load(name)
    built, runs = normalize.build(capture.spans, capture.logs), capture.trees()
    jobs = [job for run in runs for job in run.root.walk()]
    rows = {table: held.num_rows for table, held in built.tables.items()}
    assert rows["runs"] == len(runs)
    assert rows["jobs"] == len(jobs)
    assert rows["tool_calls"] == sum(len(job.tool_calls) for job in jobs)
    assert rows["model_calls"] == sum(len(job.model_calls) for job in jobs)
    assert rows["messages"] == sum(len(job.messages) for job in jobs)
    assert rows["delegations"] == len(jobs) - len(runs)
    stored = [tree_text.from_json(text) for text in built.tables["runs"]["tree"].to_pylist()]
    assert [tree_text.digest(run) for run in stored] == built.tables["runs"]["tree_digest"].to_pylist()


def test_unknown_is_null_and_a_real_null_is_text() -> None:
    """Arguments that were not captured are null; a result that is null is the JSON text `null`."""
    row = first(build(agent("a"), tool("t", "look", "c1", None, "null", parent="a")), "tool_calls")
    assert (row["arguments"], row["result"]) == (None, "null")


def test_tokens_that_nobody_captured_are_null() -> None:
    """The sum of no figures is null, never 0; of some it is their sum."""
    calls = [chat("m1", [user("x")], [says("y")], {"gen_ai.usage.input_tokens": 3}, parent="a"), chat("m2", parent="a")]
    run = first(build(agent("a"), *calls), "runs")
    assert (run["input_tokens"], run["output_tokens"], run["cost_usd"]) == (3, None, None)


def test_absurd_figures_are_written() -> None:
    """Counts beyond what a column holds do not lose the run (somebody's exporter will send them)."""
    huge = {"gen_ai.usage.input_tokens": 2**63 - 1, "gen_ai.usage.cost": 2**62 + 1}
    run = first(build(agent("a"), *(chat(f"m{i}", None, None, huge, parent="a") for i in range(3))), "runs")
    assert run["input_tokens"] == 2**64 - 1
    assert run["cost_usd"] > 2**63


def test_messages_have_their_positions_and_a_digest_of_their_own() -> None:
    """Position by position within the job; another message changes the messages' digest and not the tree's."""
    one, other = (
        build(agent("a"), chat("m", [user(text), user("hi")], [says("yo")], parent="a")) for text in ("x", "y")
    )
    told = one.tables["messages"].select(["job_id", "position", "role", "text", "calls"]).to_pylist()
    assert [tuple(row.values()) for row in told] == [
        ("t-a", 0, "user", "x", None), ("t-a", 1, "user", "hi", None), ("t-a", 2, "assistant", "yo", None),
    ]  # fmt: skip
    assert first(one, "runs")["tree_digest"] == first(other, "runs")["tree_digest"]
    assert first(one, "runs")["messages_digest"] != first(other, "runs")["messages_digest"]
    assert first(build(agent("a")), "runs")["messages_digest"] is None


def test_a_child_job_knows_its_parent_and_its_depth() -> None:
    """`parent_job_id` and `depth` rebuild the tree from the rows."""
    built = build(agent("a"), agent("b", "b", parent="a"), agent("c", "c", parent="b"))
    found = built.tables["jobs"].select(["job_id", "parent_job_id", "depth"]).to_pylist()
    assert [tuple(row.values()) for row in found] == [("t-a", None, 0), ("t-b", "t-a", 1), ("t-c", "t-b", 2)]


def test_times_after_2262_are_null() -> None:
    """A time that does not fit nanoseconds in 63 bits is left out, and the row stays."""
    built = build(agent("a", start=2**63 + 5, end=2**64 - 1))
    assert built.tables["runs"]["started"].to_pylist() == [None]
    assert built.tables["runs"].num_rows == 1


def test_every_trace_that_acted_is_a_member_of_a_run() -> None:
    """A trace with an agent is in one run; one without any agent activity is noise and offers itself only."""
    built = build(
        agent("a", trace="one"), agent("b", trace="two") | {"name": "x"}, {**agent("c", trace="n"), "attributes": "{}"}
    )
    assert sorted(built.tables["run_members"]["trace_id"].to_pylist()) == ["one", "two"]
    assert set(built.references["trace_id"].to_pylist()) == {"one", "two", "n"}
