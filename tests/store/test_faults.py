"""What errors mean, and finding the rows that cause them."""

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.store.errors import Busy, Unavailable
from collector.store.faults import Fault, classify, find_poison, told


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (duckdb.OutOfMemoryException("x"), Fault.TRANSIENT),
        (duckdb.IOException("x"), Fault.TRANSIENT),
        (duckdb.FatalException("x"), Fault.FATAL),
        (duckdb.InternalException("x"), Fault.FATAL),
        (duckdb.ConversionException("x"), Fault.ROWS),
        (duckdb.InvalidInputException("x"), Fault.ROWS),
        (
            duckdb.InvalidInputException("the database has been invalidated because of a previous fatal error"),
            Fault.FATAL,
        ),
        (KeyError("x"), Fault.TRANSIENT),
    ],
)
def test_each_error_has_its_way_out(error: Exception, fault: Fault):
    """Errors of values are about rows, dead instances are fatal, and everything else may be tried again."""
    assert classify(error) is fault


@given(st.sets(st.integers(0, 99)), st.integers(0, 100))
def test_exactly_the_poison_is_found(poison: set[int], rows: int):
    """Halving finds the bad rows, all of them and no others."""
    assert find_poison(rows, lambda part: bool(poison.intersection(part))) == {p for p in poison if p < rows}


def test_what_is_told_is_ours_and_holds_no_data(caplog: pytest.LogCaptureFixture):
    """Our own errors are told as they are; of any other its kind is logged, and the sender is asked to come again."""
    busy = Busy(1.0)
    assert told(busy) is busy
    found = told(duckdb.OutOfMemoryException("a secret value"))
    assert isinstance(found, Unavailable)
    assert "secret" not in f"{found} {caplog.text}"
    assert "OutOfMemoryException" in caplog.text
