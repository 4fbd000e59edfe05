"""Fixed queries."""

import pytest

from collector.answer.local import LocalStore
from collector.store.errors import UnknownQuery
from collector.store.file.reader import Reads
from collector.store.trees.builder import Here
from tests.store import fake_trees
from tests.store.rows import span, spans


def test_runs_are_filtered_and_limited():
    """Absent filters are NULL and leave all; a limit cuts; a run is found by the beginning of its id."""
    with LocalStore(":memory:", builder=Here(fake_trees.build)) as store:
        store.ingest(spans(*(span(trace, 1, name="agent") for trace in range(1, 4)))).result()
        store.settle()
        reads = Reads(store.database)
        assert reads.query("runs").num_rows == 3
        assert reads.query("runs", limit=2).num_rows == 2
        assert reads.query("runs", service="nobody").num_rows == 0
        assert reads.query("run_beginning", id=f"run-{2:032x}"[:-1]).num_rows == 3
        assert reads.query("run_beginning", id=f"{2:032x}"[:-1]).num_rows == 3
        for name in ("run", "run_beginning"):
            assert reads.query(name, id=f"run-{2:032x}").num_rows == 1
            assert reads.query(name, id=f"{2:032x}").num_rows == 1
            assert reads.query(name, id="zz").num_rows == 0
        assert reads.query("run", id=f"run-{2:032x}"[:-1]).num_rows == 0


def test_times_can_be_read_by_python():
    """The queries that commands show give times that Python can hold."""
    with LocalStore(":memory:") as store:
        store.ingest(spans(span(1, 1))).result()
        reads = Reads(store.database)
        assert reads.query("status").to_pylist()[0]["last_commit"].year >= 2026
        assert reads.query("trace_spans", trace_id=f"{1:032x}").to_pylist()[0]["start_time"].year == 2026


def test_a_misspelt_parameter_is_refused():
    """A parameter that the query does not have is an error."""
    with LocalStore(":memory:") as store, pytest.raises(UnknownQuery, match="no parameter servcie"):
        Reads(store.database).query("runs", servcie="x")
