"""The rate of what comes, over short windows."""

from collector.store.writing.arrivals import Arrivals


class Clock:
    """A clock that a test moves."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_steady_flow_has_its_rate():
    """Rows and requests of the last whole windows are told by the second, and forgotten when nothing comes any more."""
    clock = Clock()
    arrivals = Arrivals(clock)
    for _ in range(50):
        arrivals.note(30, 2)
        clock.now += 0.01
    assert 2900 < arrivals.rate().rows < 3400
    assert 190 < arrivals.rate().requests < 230
    clock.now += 1
    assert arrivals.rate() == (0, 0)
    arrivals.note(1, 1)
    assert arrivals.rate().rows < 3400


def test_one_large_request_is_no_burst():
    """The slower of two windows counts."""
    clock = Clock()
    arrivals = Arrivals(clock)
    for rows in (1, 1, 50_000, 1, 1):
        arrivals.note(rows, 1)
        assert arrivals.rate().rows < 100
        clock.now += 0.11
