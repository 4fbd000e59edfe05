"""What people read with: the function `attribute`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from collector.answer.local import LocalStore
from collector.decode.json_text import dump
from collector.store.file.database import Database
from tests.store.rows import committed, span, spans

NAMES = st.text(max_size=8) | st.sampled_from(["a.b", "a/b", "a~b", 'a"b', "a\\b", "a\x1fb", "0", "", "é", "\u2028"])
VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(max_size=8)
    | st.lists(st.integers(0, 9), max_size=2)
)


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    """A store in memory."""
    opened = Database(":memory:")
    yield opened
    opened.close()


def said(value: Any) -> str | None:
    """The text of a value, by Python's own reading of it."""
    return value if value is None or isinstance(value, str) else orjson.dumps(value).decode()


@given(st.dictionaries(NAMES, VALUES, max_size=4), NAMES)
@example({"a~1b": "x", "a/b": "y"}, "a/b")
@example({"outer": {"inner": 1}}, "inner")
@example({'a"b': "x"}, 'a"b')
def test_an_attribute_is_found_by_its_whole_name(database: Database, held: dict[str, Any], other: str):
    """Whatever stands in a name, its text is found; a name that is not there gives NULL, also where the text contains it."""
    text = dump(held).decode()
    for name in (*held, other):
        found = database.cursor().execute("SELECT attribute($text, $name)", {"text": text, "name": name}).fetchall()
        assert found == [(said(held.get(name)),)]


def test_it_is_there_for_free_sql_also_after_a_rewrite(tmp_path: Path):
    """The gate lets it pass, and a store that was written anew still has it."""
    with LocalStore(tmp_path / "a.duckdb") as store:
        committed(store.ingest(spans(span(1, 1, attributes='{"a.b":"x"}'), span(2, 1, attributes='{"a.b":7}'))))
        for left in (["7", "x"], ["7"]):
            rows = store.sql("SELECT attribute(attributes, 'a.b') AS held FROM spans ORDER BY 1")
            assert rows["held"].to_pylist() == left
            store.maintain({"do": "delete", "trace": f"{1:032x}"}) if len(left) > 1 else None
