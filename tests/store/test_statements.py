"""The SQL files: listed, bindable, and free of what the store may not use."""

import re

import pytest

from collector.store import statements
from collector.store.errors import NotAStore, UnknownQuery
from collector.store.extension import Extension
from collector.store.file.database import Database

FORBIDDEN = (
    r"\b(PRIMARY KEY|UNIQUE|CHECK|INDEX|SEQUENCE|ENUM|ON CONFLICT|RETURNING|UPDATE|DELETE|DROP|ALTER|TRUNCATE|MERGE)\b"
)


@pytest.fixture(scope="module")
def database():
    """An empty store in memory."""
    opened = Database(":memory:")
    yield opened
    opened.close()


@pytest.mark.parametrize("name", sorted(statements.load()))
def test_every_statement_binds_against_an_empty_store(name: str, database: Database):
    """Each SQL file is one statement that DuckDB can plan against our schema."""
    connection = database.cursor()
    sql = statements.load()[name]
    typed = {"runs": {"limit": 1}, "ledger/missing_of": {"table": "evidence.spans"}}.get(name, {})
    values = {
        key: typed.get(key, [] if re.search(rf"\${key}::\w+\[\]", sql) else 1) for key in statements.parameters(sql)
    }
    assert len(connection.extract_statements(sql)) == 1
    connection.execute("BEGIN")
    connection.execute(sql, values).fetchall()
    connection.execute("ROLLBACK")


def test_no_sql_uses_what_the_store_may_not_have():
    """No keys, constraints, indexes, sequences or enums, and nothing changes or deletes rows."""
    ours = {file.stem: file.read_text() for file in statements.FOLDER.parent.glob("*.sql")}
    assert ours.keys() == {"schema", "views"}
    for name, sql in {**statements.load(), **ours}.items():
        bare = re.sub(r"--[^\n]*", "", sql)
        assert not re.search(FORBIDDEN, bare, re.IGNORECASE), f"{name}: appends only; see the head of schema.sql"


def test_query_without_a_parameter_gets_null():
    """Parameters that are not given are bound as NULL."""
    assert statements.bind("SELECT $a, $b -- $c\n", "x", {"a": 1}) == {"a": 1, "b": None}


def test_unknown_parameter_is_refused():
    """A parameter that the query does not have is an error that names the ones it has."""
    with pytest.raises(UnknownQuery, match="has no parameter c"):
        statements.bind("SELECT $a, '$c'", "x", {"c": 1})


def test_an_extension_cannot_take_a_name():
    """Two queries of one name would hide each other."""
    with pytest.raises(NotAStore, match="runs"):
        statements.readable([Extension("grader", "", {"runs": "SELECT 1"})])
