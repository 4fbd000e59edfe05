"""How much a peer may ask for, with a clock of our own."""

from collector.web.http2.patience import PING_SECONDS, PING_STRIKES, Allowance, Pings


def test_so_many_at_once_and_so_many_a_second() -> None:
    """What is used up grows again, never beyond the most."""
    allowance = Allowance(3, 2)
    assert [allowance.take(100) for _ in range(4)] == [True, True, True, False]
    assert allowance.take(101)
    assert [allowance.take(1000) for _ in range(4)] == [True, True, True, False]


def test_something_may_cost_more_and_something_pays() -> None:
    """Weights, and what is given back."""
    allowance = Allowance(10, 0)
    assert allowance.take(0, 9)
    allowance.give(100)
    assert allowance.take(0, 10)
    assert not allowance.take(0, 1)


def test_pings_far_apart_are_no_fault() -> None:
    """One every ten seconds may go on for ever."""
    pings = Pings()
    assert all(pings.take(10.0 * number) for number in range(1000))


def test_early_pings_are_counted_until_something_is_answered() -> None:
    """Some are forgiven, and all after an answer."""
    pings = Pings()
    for _ in range(5):
        assert [pings.take(50) for _ in range(PING_STRIKES + 1)] == [True] * (PING_STRIKES + 1)
        pings.answered()
    assert [pings.take(60 + PING_SECONDS / 2 * n) for n in range(PING_STRIKES + 2)][-1] is False
