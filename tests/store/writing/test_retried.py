"""Retries across a change of the rules: no second revision of a span, and a true revision stays one."""

from pathlib import Path

import pytest

from collector.answer.local import LocalStore
from collector.redact.rows import Redactor
from collector.redact.rules import Rule, Rules
from collector.store.writing.retried import shape
from tests.store.rows import span, spans

FIRST, SECOND = (
    Redactor(Rules((Rule(name, action, "key", "a"),))) for name, action in (("one", "mask"), ("two", "drop"))
)
ROW = span(1, 1, attributes='{"a":"hush","b":1}', end_ns=None)


def store_then(path: Path, first: Redactor | None, second: Redactor | None, row: dict[str, object]) -> int:
    """How many revisions there are after the row was sent under the first rules and another under the second ones."""
    with LocalStore(path, redact=first) as store:
        store.ingest(spans(ROW)).result()
    with LocalStore(path, redact=second) as store:
        store.ingest(spans(row)).result()
        return store.sql("SELECT count(*) AS n FROM span_revisions").to_pylist()[0]["n"]


@pytest.mark.parametrize(("first", "second"), [(FIRST, SECOND), (SECOND, FIRST), (None, FIRST), (SECOND, None)])
def test_the_same_span_under_other_rules_is_a_duplicate(
    first: Redactor | None, second: Redactor | None, tmp_path: Path
):
    """Masked then dropped, dropped then masked, raw then masked, dropped then raw: one revision (X-31)."""
    assert store_then(tmp_path / "t.duckdb", first, second, ROW) == 1


def test_a_true_revision_under_other_rules_is_one(tmp_path: Path):
    """The span that has ended meanwhile is another content, whatever the rules."""
    ended = span(1, 1, attributes='{"a":"hush","b":1}')
    assert store_then(tmp_path / "t.duckdb", FIRST, SECOND, ended) == 2


def test_a_grown_span_under_other_rules_is_a_revision(tmp_path: Path):
    """One attribute more is another content."""
    grown = span(1, 1, attributes='{"a":"hush","b":1,"c":2}', end_ns=None)
    assert store_then(tmp_path / "t.duckdb", FIRST, SECOND, grown) == 2


def test_without_rules_nothing_is_a_retry():
    """Two rows that no rule changed are compared by their content alone."""
    assert not shape(None, 1, 2, 0, 3, 0).retries(shape(None, 1, 2, 0, 3, 0))
