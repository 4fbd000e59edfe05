"""Rates over the last minute."""

from collector.measure.rates import EVERY, SPAN, Rates


def test_a_rate_is_over_the_time_since_the_first_note():
    """After a start a rate is over what has gone by; before that nothing is known."""
    rates = Rates()
    assert rates.now(0, {"spans": 5}) == ({"spans": 0.0}, 0.0)
    rates.note(0, {"spans": 5})
    assert rates.now(0, {"spans": 5}) == ({"spans": 0.0}, 0.0)
    assert rates.now(10, {"spans": 105, "logs": 20}) == ({"spans": 10.0, "logs": 2.0}, 10)


def test_what_is_older_than_a_minute_is_forgotten():
    """A burst of long ago is in no rate any more."""
    rates = Rates()
    for number in range(100):
        rates.note(number * EVERY, {"spans": 1_000_000})
    per_second, over = rates.now(99 * EVERY + 1, {"spans": 1_000_060})
    assert SPAN - EVERY <= over <= SPAN
    assert per_second == {"spans": 60 / over}


def test_after_a_pause_old_notes_are_not_used():
    """Where the last note is too old no rate is told: it would be over a longer time."""
    rates = Rates()
    rates.note(0, {"spans": 0})
    assert rates.now(SPAN * 10, {"spans": 10}) == ({"spans": 0.0}, 0.0)
