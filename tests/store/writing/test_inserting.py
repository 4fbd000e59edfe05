"""Rows of Arrow into tables of the store."""

import pyarrow as pa
import pytest

from collector.decode.columns import LOGS, SPANS
from collector.store.errors import BadAppend
from collector.store.file.database import Database
from collector.store.writing.inserting import Inserter


@pytest.fixture
def database():
    """An empty store in memory."""
    opened = Database(":memory:")
    yield opened
    opened.close()


@pytest.mark.parametrize(("kind", "columns"), [("spans", SPANS), ("logs", LOGS)])
def test_what_is_decoded_has_a_column(kind: str, columns: dict[str, pa.DataType], database: Database):
    """The columns of a table are those that are decoded, in their order, behind those of the commit: none is lost."""
    names = Inserter(database.cursor()).schema(f"evidence.{kind}").names
    assert [name for name in names if name not in ("commit_seq", "commit_row")] == list(columns)


def test_rows_find_their_columns_by_name(database: Database):
    """In whatever order they come; a column that is not there is null, and a number is fitted to its column."""
    cursor = database.cursor()
    rows = pa.table({"key": ["k"], "trace_id": ["t"], "build": pa.array([7], pa.int8())})
    inserter = Inserter(cursor)
    assert inserter.schema("canonical.references").names == ["trace_id", "build", "kind", "key", "role"]
    inserter.insert("canonical.references", rows)
    found = cursor.execute('SELECT trace_id, build, kind, key, role FROM canonical."references"').fetchall()
    assert found == [("t", 7, None, "k", None)]


def test_a_strange_column_is_told(database: Database):
    """With the table's name and its own, and nothing is inserted."""
    cursor = database.cursor()
    inserter = Inserter(cursor)
    inserter.schema("canonical.jobs")
    with pytest.raises(BadAppend, match=r"canonical\.jobs has no column nonsense"):
        inserter.insert("canonical.jobs", pa.table({"nonsense": [1], "run_id": ["r"]}))
    assert cursor.execute("SELECT count(*) FROM canonical.jobs").fetchall() == [(0,)]


def test_names_are_names(database: Database):
    """A quote in a table's name ends nothing."""
    cursor = database.cursor()
    cursor.execute('CREATE TABLE "a""b" (n INTEGER)')
    inserter = Inserter(cursor)
    inserter.schema('a"b')
    inserter.insert('a"b', pa.table({"n": [1]}))
    assert cursor.execute('SELECT n FROM "a""b"').fetchall() == [(1,)]


def test_each_insert_reads_its_own_rows(database: Database):
    """One view serves all inserts into a table, and shows nothing between them; a transaction that fails leaves it in place."""
    cursor = database.cursor()
    inserter = Inserter(cursor)
    inserter.schema("canonical.constraints")
    for texts in (["a", "b"], [], ["c"]):
        inserter.insert("canonical.constraints", pa.table({"text": pa.array(texts, pa.string())}))
    cursor.execute("BEGIN")
    inserter.insert("canonical.constraints", pa.table({"text": ["gone"]}))
    cursor.execute("ROLLBACK")
    with pytest.raises(pa.ArrowInvalid):
        inserter.insert("canonical.constraints", pa.table({"position": ["no number"]}))
    inserter.insert("canonical.constraints", pa.table({"text": ["d"]}))
    found = cursor.execute("SELECT text FROM canonical.constraints ORDER BY text").fetchall()
    assert found == [("a",), ("b",), ("c",), ("d",)]
    assert cursor.execute("SELECT count(*) FROM incoming_0").fetchall() == [(0,)]
