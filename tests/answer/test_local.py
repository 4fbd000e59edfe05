"""A store that this process has open."""

from pathlib import Path

import pyarrow as pa
import pytest

from collector.access import audit
from collector.access.table import made
from collector.access.tokens import Token, digest
from collector.answer.local import LocalStore
from collector.store.errors import BadAppend, UnknownQuery
from collector.store.extension import Extension
from tests.store.rows import span, spans

NOTES = Extension(
    "grader",
    "CREATE TABLE IF NOT EXISTS grader.notes (text VARCHAR)",
    {"notes": "SELECT text FROM grader.notes WHERE $like IS NULL OR text LIKE $like"},
)


def test_it_stores_reads_and_appends(tmp_path: Path):
    """Ingest, fixed queries, free SQL and appends work on one store, and all is there after reopening."""
    path = tmp_path / "a.duckdb"
    with LocalStore(path, extensions=[NOTES]) as store:
        store.ingest(spans(span(1, 1))).result()
        store.append({"grader.notes": pa.table({"text": ["a", "b"]})}, "batch-1")
        store.append({"grader.notes": pa.table({"text": ["a", "b"]})}, "batch-1")
    with LocalStore(path, extensions=[NOTES]) as store:
        assert store.query("status")["spans"].to_pylist() == [1]
        assert store.query("notes")["text"].to_pylist() == ["a", "b"]
        assert store.query("notes", like="a")["text"].to_pylist() == ["a"]
        assert store.sql("SELECT count(*) AS n FROM spans")["n"].to_pylist() == [1]
        assert store.query("trace_spans", trace_id=f"{1:032x}")["name"].to_pylist() == ["step"]
        store.close()


def test_the_audit_table_is_not_filled_from_outside():
    """Nobody notes what was not done; a repeated batch is noted once (X-34)."""
    token = Token("id1", "read", digest("s"), created=1)
    with LocalStore(":memory:") as store:
        with pytest.raises(BadAppend, match=r"access\.audit"):
            store.append(audit.rows([audit.Deed(who="x", what="sql")]), "b")
        store.append(made(token), "token-id1")
        store.append(made(token), "token-id1")
        assert store.query("audit", most=9)["about"].to_pylist() == ["id1"]


def test_evidence_cannot_be_appended_to():
    """The generic channel fills tables of extensions alone."""
    with LocalStore(":memory:", extensions=[NOTES]) as store, pytest.raises(BadAppend, match=r"evidence\.spans"):
        store.append({"evidence.spans": pa.table({"name": ["x"]})}, "b")


def test_unknown_queries_are_named():
    """A query that does not exist is an error that lists those that do."""
    with (
        LocalStore(":memory:") as store,
        pytest.raises(UnknownQuery, match=r"There is no query rums; there are .*runs,"),
    ):
        store.query("rums")
