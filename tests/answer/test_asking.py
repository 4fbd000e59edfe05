"""What both kinds of store share in asking free SQL."""

from collections.abc import Generator
from pathlib import Path

import pyarrow as pa
import pytest

from collector.answer.asking import relation, statement
from collector.answer.free import MAX_ROWS, MAX_SECONDS
from collector.answer.local import LocalStore
from collector.answer.remote import RemoteStore
from collector.store.errors import RefusedStatement, StoreError
from collector.store.protocol import Store
from tests.answer.serving import endpoint
from tests.store.rows import span, spans


@pytest.fixture(scope="module", params=["memory", "file", "remote"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[Store]:
    """Ten spans: in memory, in a file, and behind a read endpoint."""
    place = ":memory:" if request.param == "memory" else tmp_path_factory.mktemp("asking") / "a.duckdb"
    with LocalStore(place) as opened:
        opened.ingest(spans(*(span(1, number) for number in range(10)))).result()
        if request.param != "remote":
            yield opened
            return
        with endpoint(opened, "t") as url:
            yield RemoteStore(url, "t")


def test_what_is_not_given_has_its_default():
    """A statement without limits gets those of the settings' defaults."""
    asked = statement("SELECT 1", "csv", None, None, 0.0)
    assert (asked.rows, asked.seconds, asked.form) == (MAX_ROWS, MAX_SECONDS, "csv")
    assert statement("SELECT 1", "csv", 5, 2.0, 1.0).rows == 5


def test_a_relation_goes_on_in_duckdb(store: Store):
    """The rows of a statement are a DuckDB relation: fetched, aggregated, or taken as Arrow, more than once."""
    found = store.relation("SELECT span_id, start_ns FROM spans ORDER BY start_ns")
    assert found.aggregate("count(*)").fetchall() == [(10,)]
    assert found.limit(1).fetchall() == [(f"{0:016x}", 1_790_000_000_000_000_000)]
    assert isinstance(found.to_arrow_table(), pa.Table)


def test_a_relation_is_never_cut_unseen(store: Store):
    """More rows than the default limit are an error that says what to do; a limit of one's own is kept to."""
    with pytest.raises(StoreError, match="There are more than 10000 rows"):
        store.relation("SELECT range FROM range(10001)")
    assert relation(store, "SELECT range FROM range(10001)", 3, None).fetchall() == [(0,), (1,), (2,)]


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        ("csv", b"n,t\r\n1,'=x\r\n"),
        ("json", b'[\n {"n":1,"t":"=x"}\n]\n'),
        ("jsonl", b'{"n":1,"t":"=x"}\n'),
    ],
)
def test_each_form_is_the_same_everywhere(store: Store, form: str, answer: bytes):
    """Whichever store answers, an answer has the same bytes."""
    with store.select("SELECT 1 AS n, '=x' AS t", form=form) as found:
        assert (found.file.read(), found.rows, found.truncated, found.size) == (answer, 1, False, len(answer))
    with store.select("SELECT range FROM range(5)", form=form, max_rows=2) as found:
        assert (found.rows, found.truncated) == (2, True)


def test_forms_that_do_not_exist_are_refused(store: Store):
    """An unknown form is named with those that exist."""
    with pytest.raises(RefusedStatement, match="There is no form xml; there are arrow, csv, json, jsonl"):
        store.select("SELECT 1", form="xml")


def test_parts_come_one_by_one(store: Store):
    """An answer in Arrow can be read batch by batch."""
    with store.select("SELECT range AS n FROM range(9000)") as found:
        schema, parts = found.batches()
        assert schema.names == ["n"]
        sizes = [part.num_rows for part in parts]
    assert sum(sizes) == 9000
    assert max(sizes) < 5000


def test_the_file_of_a_store_may_have_any_name(tmp_path: Path):
    """Quotes and blanks in a path do no harm."""
    with LocalStore(tmp_path / "it's one; DROP.duckdb") as store:
        assert store.sql("SELECT count(*) AS n FROM spans")["n"].to_pylist() == [0]
