"""Streams that are over."""

import pytest

from collector.web.http2.closed import _REMEMBERED, Closed
from collector.web.http2.frames import Code, ConnectionFault


def test_what_we_ended_is_ignored_within_its_window() -> None:
    """What was on its way does no harm; more than the peer was allowed is a fault."""
    closed = Closed()
    closed.add(1, 100)
    assert closed.ignores(1, 60)
    assert closed.ignores(1)
    with pytest.raises(ConnectionFault) as caught:
        closed.ignores(1, 41)
    assert caught.value.code == Code.FLOW_CONTROL_ERROR


def test_what_the_peer_ended_is_not() -> None:
    """And a number that was passed over is another fault."""
    closed = Closed()
    closed.add(1, None)
    assert not closed.ignores(1)
    assert (closed.fault(1).code, closed.fault(3).code) == (Code.STREAM_CLOSED, Code.PROTOCOL_ERROR)


def test_the_latest_are_remembered() -> None:
    """However many streams there were."""
    closed = Closed()
    for number in range(1, 2 * _REMEMBERED):
        closed.add(number, 5)
    assert len(closed._windows) == _REMEMBERED
    assert closed.ignores(2 * _REMEMBERED - 1)
    assert not closed.ignores(1)
