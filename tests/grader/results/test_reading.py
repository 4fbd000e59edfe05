"""What grading reads from the store."""

from datetime import UTC, datetime
from typing import Any

import pytest

from collector import Store, UserError, connect
from collector.decode import traces_protobuf
from grader.case import Select
from grader.results import extension
from grader.results.reading import candidates
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


def found(store: Store, one: str | None = None, **select: Any) -> list[str | None]:
    return [c.run.service for c in candidates(store, Select(**select), datetime.now(UTC), one)]


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
    (first, _) = candidates(store, Select(), datetime.now(UTC), None)
    assert found(store, one=Trace(1).id.hex()) == ["support"]
    assert found(store, one=first.run.id) == ["support"]
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


def test_attributes_are_compared_by_value(store: Store) -> None:
    """An attribute that no run has selects none."""
    assert found(store, attributes={"no.such": "x"}) == []
