"""Which traces wait for a tree, and for how long."""

import time

from collector.store.trees.pending import Pending


def test_a_quiet_trace_is_ripe_and_a_busy_one_waits():
    """A trace is ripe when nothing came for it in the quiet time, or when it has waited for the longest time."""
    pending = Pending()
    pending.note(1, ["a", "b"])
    assert pending.ripe(quiet=60, longest=60) == []
    assert pending.ripe(quiet=0, longest=60) == ["a", "b"]
    assert pending.ripe(quiet=60, longest=0) == ["a", "b"]


def test_what_was_left_over_is_ripe_at_once():
    """Traces of an earlier run of the store wait for nothing."""
    assert Pending([("a", 2, 3)]).ripe(quiet=60, longest=60) == ["a"]


def test_order_is_that_of_the_newest_arrival():
    """Traces come in the order in which their newest evidence was committed."""
    pending = Pending()
    for seq, trace in enumerate(["a", "b", "a"]):
        pending.note(seq, [trace])
    assert pending.all() == ["b", "a"]
    assert pending.all(["a", "z"]) == ["a"]


def test_what_came_meanwhile_stays_dirty():
    """A trace whose tree is older than its newest evidence is still dirty."""
    pending = Pending()
    pending.note(5, ["a", "b"])
    pending.note(6, ["b"])
    pending.done(["a", "b", "c"], upto=5)
    assert pending.all() == ["b"]
    assert len(pending) == 1


def test_the_first_commit_is_known_while_a_trace_is_dirty():
    """All evidence since a trace was clean lies behind its first commit; of a clean trace nothing is said."""
    pending = Pending([("old", 2, 9)])
    for seq in (11, 12, 13):
        pending.note(seq, ["a"] if seq % 2 else ["b"])
    assert pending.first(["a", "b"]) == 11
    assert pending.first(["b", "old"]) == 2
    assert pending.first(["b", "clean"]) is None
    pending.done(["a"], upto=13)
    pending.note(14, ["a"])
    assert pending.first(["a"]) == 14


def test_the_lag_is_that_of_the_oldest():
    """The lag counts from the oldest evidence that is in no tree, of what was left over from the start; without any it is 0."""
    assert Pending().lag() == 0
    pending = Pending([("old", 1, 1)])
    began = time.monotonic()
    pending.note(2, ["a"])
    noted = time.monotonic()
    assert pending.lag() >= noted - began
    pending.note(3, ["a"])
    pending.done(["old"], upto=1)
    assert pending.lag() <= time.monotonic() - began
    pending.done(["a"], upto=3)
    assert pending.lag() == 0
