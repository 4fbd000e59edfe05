"""When a body is cut off."""

from collector.web.limits_of_time import stalls
from collector.web.messages import Limits

LIMITS = Limits(body_idle_seconds=10, request_seconds=60, body_rate=100)


def test_pauses_length_and_rate() -> None:
    """A long pause, a long time and a slow trickle are too slow; a short beginning and a steady stream are not."""
    assert not stalls(LIMITS, now=104, since=100, heard=100, received=0)
    assert stalls(LIMITS, now=111, since=100, heard=100, received=10**6)
    assert stalls(LIMITS, now=161, since=100, heard=161, received=10**6)
    assert stalls(LIMITS, now=120, since=100, heard=120, received=1999)
    assert not stalls(LIMITS, now=120, since=100, heard=120, received=2000)
