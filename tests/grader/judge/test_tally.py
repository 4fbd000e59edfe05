"""What a grading asked of judges and what that cost."""

from grader.judge.tally import Asked, Tally


def test_a_cost_that_is_not_known_makes_the_sum_unknown() -> None:
    """Never 0."""
    tally = Tally()
    tally.pay("m", 0.5)
    tally.pay("n", None)
    tally.pay("m", 0.5)
    assert (tally.usd, tally.unpriced) == (None, {"n"})
    assert tally.plain()["cost_usd"] is None


def test_what_came_since() -> None:
    """Of each count; a copy does not change with the original."""
    tally = Tally(calls=2, cached=1, usd=0.5)
    before = tally.copy()
    tally.calls += 3
    tally.pay("m", 0.25)
    tally.unpriced.add("x")
    since = tally.since(before)
    assert (since.calls, since.cached, since.usd, since.unpriced) == (3, 0, 0.25, {"x"})
    assert before.unpriced == set()


def test_notices_tell_what_was_not_asked_and_not_priced() -> None:
    """And nothing of that where all was."""
    assert Asked(Tally(calls=2, cached=1, usd=0.02)).notices == ("judges: 2 asked, 1 cached, $0.0200",)
    told = Asked(Tally(calls=2, failed=1, not_asked=1, usd=None, unpriced={"n"}), "no key").notices
    assert told == (
        "judges: 2 asked, 0 cached, 1 without a verdict",
        "judges: 1 question not asked: no key",
        "judges: the price of n is not known, so neither is the cost",
    )
    assert Asked(Tally(not_asked=1), "no key").left == ""
    assert Asked(Tally(not_asked=1), "the cap", capped=True).left == "the cap; the rest is not graded"
