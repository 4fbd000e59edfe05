"""What grading reads from the store."""

from datetime import UTC, datetime
from typing import Any

import pytest

from collector import Store, UserError, connect
from collector.decode import traces_protobuf
from grader.case import Select
from grader.results import extension
from grader.results.reading import batches, how_many, selected
from grader.stored_run import StoredRun
from tests.grader.spans import Trace


@pytest.fixture(scope="module")
def store() -> Any:
    """Two runs of two services."""
    with connect(":memory:", extensions=[extension()]) as opened:
        for number, service in ((1, "support"), (2, "billing")):
            trace = Trace(number, service)
            trace.agent(1, "helper", extra={"tracegrade.batch": f"batch-{number}"})
            opened.ingest(traces_protobuf(trace.body())).result()  # ty: ignore
        opened.settle()
        yield opened


def stored(store: Store, one: str | None = None, **select: Any) -> list[StoredRun]:
    return [r for b in batches(selected(store, Select(**select), datetime.now(UTC), one), 1) for r in b]


def found(store: Store, one: str | None = None, **select: Any) -> list[str | None]:
    return [r.candidate().run.service for r in stored(store, one, **select)]


def test_filters(store: Store) -> None:
    """Service, agent, batch and time; nothing asked for selects all, oldest first."""
    assert found(store) == ["support", "billing"]
    assert found(store, service="billing") == ["billing"]
    assert found(store, agent="helper", batch="batch-1") == ["support"]
    assert found(store, agent="nobody") == []
    assert found(store, since="1h") == ["support", "billing"]
    assert found(store, since="2100-01-01") == []


def test_one_run_by_trace_or_run_id(store: Store) -> None:
    """`--trace` names either."""
    (first, _) = stored(store)
    assert found(store, one=Trace(1).id.hex()) == ["support"]
    assert found(store, one=first.run_id) == ["support"]
    assert found(store, one="0" * 32) == []


def test_a_predicate_over_the_table_runs(store: Store) -> None:
    """Free SQL through the store's gate."""
    assert found(store, where="service LIKE 'bill%' AND tool_calls = 0") == ["billing"]


@pytest.mark.parametrize("where", ["no_such_column = 1", "1=1); DROP TABLE runs; --", "service = (SELECT"])
def test_a_predicate_that_is_none_is_a_message(store: Store, where: str) -> None:
    """Never a traceback, never anything but a read."""
    with pytest.raises(UserError, match=r"select\.where"):
        found(store, where=where)
    assert found(store) == ["support", "billing"]


def test_a_predicate_and_a_filter_narrow_together(store: Store) -> None:
    """Both must hold."""
    assert found(store, service="support", where="tool_calls = 0") == ["support"]
    assert found(store, service="support", where="service LIKE 'bill%'") == []


def test_runs_come_in_batches_in_their_order(store: Store) -> None:
    """No batch is larger than asked, none is empty."""
    table = selected(store, Select(), datetime.now(UTC), None)
    assert [len(b) for b in batches(table, 1)] == [1, 1]
    assert [[r.run_id for r in b] for b in batches(table, 5)] == [table.column("run_id").to_pylist()]
    assert list(batches(table.slice(0, 0), 5)) == []


def test_how_many_there_may_be_is_known_without_reading_them(store: Store) -> None:
    """What only a tree or free SQL tells apart is counted, too."""
    now = datetime.now(UTC)
    asked = (Select(), Select(service="billing"), Select(agent="nobody"))
    assert [how_many(store, select, now) for select in asked] == [2, 1, 0]
    assert how_many(store, Select(since="2100-01-01"), now) == 0
    assert how_many(store, Select(where="service LIKE 'bill%'"), now) == 2
