"""Connected traces, read in batches of a bounded size."""

from collections.abc import Generator

import pyarrow as pa
import pytest

from collector.answer.local import LocalStore
from collector.normalize import reading
from collector.store.trees import component
from collector.store.trees.component import Snapshot
from collector.store.trees.known import Known
from collector.store.writing.seen import Seen
from tests.store.rows import log, logs, span, spans


@pytest.fixture
def store() -> Generator[LocalStore]:
    """A store with five traces of ten spans each, and a log record of the first."""
    with LocalStore(":memory:") as opened:
        for trace in range(1, 6):
            opened.ingest(spans(*(span(trace, n) for n in range(10)))).result()
        opened.ingest(logs(log(1, 1), log(None, 2))).result()
        yield opened


def ids(*traces: int) -> list[str]:
    """Trace ids."""
    return [f"{trace:032x}" for trace in traces]


def test_evidence_is_all_of_the_traces_and_nothing_else(store: LocalStore):
    """Spans and log records of the asked traces come back, of whatever commit up to the snapshot."""
    snapshot = Snapshot(store.database.cursor(), 99)
    found, told = snapshot.evidence(ids(1, 3))
    assert sorted(set(found["trace_id"].to_pylist())) == ids(1, 3)
    assert (found.num_rows, told.num_rows) == (20, 1)
    assert Snapshot(store.database.cursor(), 1).evidence(ids(1, 3))[0].num_rows == 10


def test_evidence_has_the_columns_that_the_normalizer_reads(store: LocalStore):
    """No more and no fewer: each is copied to the process that builds."""
    found, told = Snapshot(store.database.cursor(), 99).evidence(ids(1))
    assert sorted(found.column_names) == sorted(reading.COLUMNS)
    assert sorted(told.column_names) == sorted(reading.LOG_COLUMNS)


def test_what_is_pending_is_found_without_asking_the_store(store: LocalStore):
    """For traces that were never tried the first commit is known; for others the store says between which they lie."""
    pending, known = store.settler.pending, Known(Seen)
    snapshot = Snapshot(store.database.cursor(), 99, pending, known)
    plain = Snapshot(store.database.cursor(), 99)
    assert snapshot.scope(ids(3, 2)) == {"traces": ids(2, 3), "low": 2, "high": 99}
    assert plain.scope(ids(3, 2)) == {"traces": ids(2, 3), "low": 2, "high": 3}
    assert [snapshot.evidence(ids(2, 3))[i].num_rows for i in (0, 1)] == [20, 0]
    known.tried(ids(2))
    assert snapshot.scope(ids(3, 2)) == plain.scope(ids(3, 2))
    pending.done(ids(3), upto=99)
    assert snapshot.scope(ids(3)) == plain.scope(ids(3))


def test_batches_are_bounded(store: LocalStore, monkeypatch: pytest.MonkeyPatch):
    """Traces are taken in order until a batch is full; a trace that is too large is a batch of its own."""
    snapshot = Snapshot(store.database.cursor(), 99)
    monkeypatch.setattr(component, "BATCH_SPANS", 25)
    assert snapshot.batches(ids(1, 2, 3, 4, 5)) == [ids(1, 2), ids(3, 4), ids(5)]
    monkeypatch.setattr(component, "BATCH_BYTES", 1)
    assert snapshot.batches(ids(2, 1)) == [ids(2), ids(1)]
    monkeypatch.setattr(component, "LOOK_AHEAD", 1)
    assert snapshot.batches(ids(2, 1)) == [ids(2)]


def test_references_lead_to_stored_traces_alone(store: LocalStore):
    """Links and job ids connect traces that are stored, over several steps; others are not invented."""
    stored = {"trace_id": ids(3, 3, 4), "kind": ["link", "job", "job"], "key": [ids(1)[0], "j", "j"]}
    store.writer.append(
        {"canonical.references": pa.table(stored | {"role": ["wants", "offers", "wants"]})}, None
    ).result()
    snapshot = Snapshot(store.database.cursor(), 99)
    assert snapshot.closure(ids(1)) == {*ids(1, 3, 4)}
    assert snapshot.closure(ids(5)) == {*ids(5)}
    fresh = {"trace_id": ids(5, 5), "kind": ["link", "link"], "key": ids(2, 77), "role": ["wants", "wants"]}
    assert snapshot.closure(ids(5), pa.table(fresh)) == {*ids(2, 5)}
