"""The estimate of a request's wait, by a clock that the test holds."""

from collector.receive.pace import Pace

MIB = 1 << 20


class Clock:
    """Time as the test has it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Seconds."""
        return self.now


def test_an_idle_collector_takes_anything() -> None:
    """With nothing on the way no size is too late, however slow the last request was."""
    clock = Clock()
    pace = Pace(4, clock)
    number = pace.enter(64 * MIB)
    clock.now = 60
    pace.leave(number)
    assert not pace.late(64 * MIB)


def test_a_request_that_waits_too_long_stops_the_intake() -> None:
    """While the oldest request waits for longer than the deadline nothing more is taken; then it goes on."""
    clock = Clock()
    pace = Pace(4, clock)
    number = pace.enter(100)
    clock.now = 3.9
    assert not pace.late()
    clock.now = 4.1
    assert pace.late()
    pace.leave(number)
    assert not pace.late()


def test_bytes_ahead_are_weighed_by_the_pace() -> None:
    """At 10 MiB a second 30 MiB ahead are fine and 50 are too many."""
    clock = Clock()
    pace = Pace(4, clock)
    first = pace.enter(10 * MIB)
    clock.now = 1
    pace.leave(first)
    pace.enter(30 * MIB)
    assert not pace.late(5 * MIB)
    pace.enter(15 * MIB)
    assert pace.late()


def test_small_requests_tell_no_pace() -> None:
    """A hundred bytes that took a whole second, most of it the disk's, do not make large requests look hopeless."""
    clock = Clock()
    pace = Pace(4, clock)
    first = pace.enter(100)
    clock.now = 1
    pace.leave(first)
    pace.enter(20 * MIB)
    assert not pace.late(20 * MIB)
