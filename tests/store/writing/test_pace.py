"""When a burst is one, how large its groups are, and how long a request waits for the writer."""

import pytest

from collector.store.writing.arrivals import Arrivals, Rate
from collector.store.writing.limits import WriterLimits
from collector.store.writing.pace import PATIENCE, Bounds, Pace


def pace(patch: pytest.MonkeyPatch, rows: float, requests: float) -> Pace:
    """At which so much comes in a second, and somebody stands in."""
    patch.setattr(Arrivals, "rate", lambda _: Rate(rows, requests))
    made = Pace(WriterLimits(burst_rate=100, burst_requests=10))
    made.stood_in = True
    return made


@pytest.mark.parametrize(("rows", "requests", "burst"), [(99, 9, False), (100, 1, True), (1, 10, True), (0, 0, False)])
def test_many_rows_or_many_requests_are_a_burst(
    monkeypatch: pytest.MonkeyPatch, rows: float, requests: float, burst: bool
):
    """Either is enough; then nobody waits for the writer, and with nobody who answers instead there is no burst."""
    made = pace(monkeypatch, rows, requests)
    assert made.burst() is burst
    assert made.patience() == (0.0 if burst else None)
    made.stood_in = False
    assert not made.burst()


def test_a_writer_that_is_held_up_is_waited_for_shortly(monkeypatch: pytest.MonkeyPatch):
    """Without a burst a request has patience with it, and while nothing holds it up nobody answers instead."""
    made = pace(monkeypatch, 1, 1)
    made.held_up = True
    assert made.patience() == PATIENCE
    made.held_up = False
    assert made.patience() is None


def test_groups_of_the_answered_are_large():
    """Nobody waits for them: they have the bounds of a burst, whatever the pace is by then."""
    made = Pace(WriterLimits(rows=1, bytes=2, seconds=3, burst_rows=4, burst_bytes=5, burst_seconds=6))
    assert made.bounds(answered=False) == Bounds(1, 2, 3)
    assert made.bounds(answered=True) == Bounds(4, 5, 6)
