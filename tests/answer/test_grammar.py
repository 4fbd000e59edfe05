"""The allow-lists agree with the database and with the schema."""

import pytest

from collector.answer import grammar
from collector.store.file.database import Database

WRITES_OR_PEEKS = (
    "getenv",
    "current_setting",
    "nextval",
    "query",
    "query_table",
    "read_text",
    "repeat",
    "lpad",
    "range",
)


@pytest.fixture(scope="module")
def database():
    """An empty store in memory."""
    opened = Database(":memory:")
    yield opened
    opened.close()


def test_every_view_can_be_read_and_no_other(database: Database):
    """The relations that are allowed are the views of `main`."""
    found = database.cursor().execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
    assert {name for (name,) in found} == grammar.RELATIONS


def test_allowed_functions_exist(database: Database):
    """A misspelt name in the list would only confuse: all exist in DuckDB, or are part of its syntax."""
    rows = database.cursor().execute("SELECT DISTINCT function_name FROM duckdb_functions()").fetchall()
    syntax = {
        "coalesce",
        "if",
        "ifnull",
        "switch",
        "current_timestamp",
        "__between",
        "unnest",
        "current_date",
        "!",
        "->",
        "<>",
    }
    assert grammar.FUNCTIONS - {name for (name,) in rows} - syntax == set()


@pytest.mark.parametrize("name", WRITES_OR_PEEKS)
def test_dangerous_functions_are_not_on_the_list(name: str):
    """What writes, peeks, or makes huge values is not allowed as a function."""
    assert name not in grammar.FUNCTIONS
