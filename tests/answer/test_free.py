"""Free SQL: runs, within its limits, and changes nothing."""

from collections.abc import Generator

import pytest

from collector.answer.free import Statement, run_here
from collector.answer.local import LocalStore
from collector.store.errors import RefusedStatement
from collector.store.result import truncated
from tests.answer.blocks import Block, read
from tests.store.rows import span, spans


@pytest.fixture(scope="module")
def store() -> Generator[LocalStore]:
    """A store with 100 spans."""
    with LocalStore(":memory:") as opened:
        opened.ingest(spans(*(span(1, n) for n in range(100)))).result()
        yield opened


@pytest.mark.parametrize("block", read("fine.sql"), ids=lambda block: block.title)
def test_useful_statements_run(block: Block, store: LocalStore):
    """Each statement of fine.sql runs against our views."""
    store.sql(block.sql)


def test_an_answer_says_when_it_was_cut(store: LocalStore):
    """Over the row limit the answer has that many rows and says so; at the limit it does not."""
    cut = store.sql("SELECT * FROM spans", max_rows=99)
    assert (cut.num_rows, truncated(cut)) == (99, True)
    whole = store.sql("SELECT * FROM spans", max_rows=100)
    assert (whole.num_rows, truncated(whole)) == (100, False)


def test_order_is_kept(store: LocalStore):
    """Rows come in the order that the statement asks for."""
    found = store.sql("SELECT span_id FROM spans ORDER BY start_ns DESC LIMIT 2")["span_id"].to_pylist()
    assert found == [f"{99:016x}", f"{98:016x}"]


def test_an_empty_answer_has_its_columns(store: LocalStore):
    """No rows still have names and types."""
    assert store.sql("SELECT name FROM spans WHERE false").column_names == ["name"]


def test_a_long_statement_is_stopped(store: LocalStore):
    """After its time a statement is interrupted and the message says so."""
    with pytest.raises(RefusedStatement, match=r"longer than 0\.2 seconds"):
        store.sql("SELECT sum(a.range * b.range) FROM range(10000000) a, range(1000000) b", seconds=0.2)


def test_mistakes_get_the_database_s_words(store: LocalStore):
    """An unknown column is reported with its name."""
    with pytest.raises(RefusedStatement, match="nonsense"):
        store.sql("SELECT nonsense FROM spans")


def test_the_transaction_is_read_only(store: LocalStore, monkeypatch: pytest.MonkeyPatch):
    """Even where the gate was open a deleting statement would not be carried out (X-23)."""
    monkeypatch.setattr("collector.answer.free.check", lambda _text, _relations: None)
    with pytest.raises(RefusedStatement, match="read-only"):
        run_here(
            store.database.cursor(), Statement("WITH x AS (DELETE FROM evidence.spans RETURNING *) SELECT * FROM x")
        )
    assert store.query("status")["spans"].to_pylist() == [100]
