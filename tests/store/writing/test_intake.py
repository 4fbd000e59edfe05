"""The one door for rows."""

from concurrent.futures import Future
from pathlib import Path

from collector.answer.local import LocalStore
from collector.decode.decoded import Decoded
from collector.redact.rows import Redactor
from collector.redact.rules import Rule, Rules
from collector.store.writing.group import Receipt
from collector.store.writing.intake import DELETED, Intake, without
from tests.decode import samples as wire
from tests.decode.columnar.compare import by_column
from tests.decode.samples import request
from tests.store.rows import log, logs, span, spans

HIDE = Redactor(Rules((Rule("hush", "mask", pattern="hush"),)))


def test_whoever_stores_goes_by_the_rules(tmp_path: Path):
    """Rows that nobody redacted before are redacted at the door."""
    with LocalStore(tmp_path / "t.duckdb", redact=HIDE) as store:
        store.ingest(spans(span(1, 1, attributes='{"a":"hush"}'))).result()
        assert store.sql("SELECT attributes FROM spans").to_pylist() == [{"attributes": '{"a":"[REDACTED:hush]"}'}]


def test_nothing_is_redacted_twice():
    """Rows that carry the version of these rules pass as they are."""
    passed: list[Decoded] = []

    def take(decoded: Decoded) -> "Future[Receipt]":
        passed.append(decoded)
        return Future()

    done = HIDE(spans(span(1, 1)))
    done.columns["attributes"][0] = '{"a":"hush"}'
    Intake(take, HIDE).submit(done)
    assert passed[0].columns["attributes"] == ['{"a":"hush"}']


def test_rows_of_deleted_traces_are_refused_alone():
    """Their neighbours stay, keys in step, and the count says why."""
    found = without(spans(span(1, 1), span(2, 2), span(1, 3)), frozenset({f"{1:032x}"}))
    assert (found.rows, found.columns["span_id"], len(found.keys)) == (1, [f"{2:016x}"], 1)
    assert found.rejected == {DELETED: 2}
    assert without(logs(log(None, 1), log(1, 2)), frozenset({f"{1:032x}"})).rows == 1


def test_of_a_batch_it_is_known_whose_rows_were_refused():
    """Rows of deleted traces in tables and in lists, counted for their requests."""
    bodies = [request(wire.span(), wire.span(attributes={"a": b"x"}, trace_id=bytes([n] * 16))) for n in (1, 2)]
    batch = by_column([body.SerializeToString() for body in bodies])
    assert batch is not None
    found = without(batch.decoded, frozenset({wire.TRACE.hex(), "02" * 16}))
    assert found.column("trace_id") == ["01" * 16]
    assert (found.rows, found.by_column, found.owner(0)) == (1, 0, 0)
    assert found.left_out == {DELETED: {0: 1, 1: 2}}
    assert found.rejected == {DELETED: 3}
