"""A grading as rows fits the schema, and comes back as it was."""

import dataclasses
import tempfile

import pytest

from collector import connect
from grader.results import extension
from grader.results.rows import tables
from tests.grader.report.gradings import empty, mixed


def test_rows_fit_the_tables() -> None:
    """Every table takes its rows, in one append; the same batch again changes nothing."""
    with connect(":memory:", extensions=[extension()]) as store:
        for _ in range(2):
            store.append(tables(mixed(), suite_known=False), batch_id="one")
        history = store.query("run_history", run_id="run-fail").to_pylist()
    assert [(r["case_name"], r["outcome"]) for r in history] == [
        ("quiet", "pass"),
        ("refunds", "fail"),
        ("seldom", "skipped"),
    ]


def test_every_column_of_the_schema_is_filled() -> None:
    """No column is forgotten, none is invented."""
    found = tables(mixed(), suite_known=False)
    schema = extension().schema_sql
    for name, table in found.items():
        body = schema.split(f"CREATE TABLE IF NOT EXISTS {name} (")[1].split(");")[0]
        columns = [line.split()[0] for line in body.splitlines() if line.strip()]
        assert table.column_names == columns


def test_an_empty_grading_is_on_record_too() -> None:
    """That nothing could be gated is worth remembering."""
    assert set(tables(empty(), suite_known=True)) == {"grading.gradings"}


@pytest.mark.parametrize("name", sorted(extension().queries))
def test_every_query_binds(name: str) -> None:
    """Each file runs on an empty store, every parameter null."""
    with connect(":memory:", extensions=[extension()]) as store:
        assert store.query(name).num_rows == (1 if name in ("known_suite", "how_many_runs") else 0)


def test_flags_are_on_record_also_in_a_store_that_knew_none() -> None:
    """The column is added to tables that were made before there was one."""
    older = (
        extension()
        .schema_sql.replace("flags            VARCHAR[]", "other VARCHAR")
        .replace("ALTER TABLE", "-- ALTER TABLE")
    )
    grading = mixed()
    grading.samples[0].flags = ("partially_graded",)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/t.duckdb"
        with connect(path, extensions=[dataclasses.replace(extension(), schema_sql=older)]):
            pass
        with connect(path, extensions=[extension()]) as store:
            store.append(tables(grading, suite_known=False), batch_id="one")
            found = store.sql("SELECT flags FROM case_results WHERE len(flags) > 0").to_pylist()
    assert found == [{"flags": ["partially_graded"]}]
