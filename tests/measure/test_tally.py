"""Counts and times."""

import threading

from collector.measure.tally import SECONDS, Clocked, Tally


def test_counts_are_kept_by_their_labels():
    """Each combination of labels has its own count; known ones are told before anything came, and nothing adds nothing."""
    tally = Tally(("logs",), ("spans",))
    tally.add("spans", by=3)
    tally.add("spans")
    tally.add("other", by=0)
    assert tally.items() == [(("logs",), 0), (("spans",), 4)]


def test_totals_are_over_what_begins_alike():
    """A total is over all labels that begin with the given ones, or over everything."""
    tally = Tally()
    for signal, answer in (("traces", "OK"), ("traces", "200"), ("logs", "OK")):
        tally.add(signal, answer)
    assert (tally.total("traces"), tally.total("traces", "OK"), tally.total()) == (2, 1, 3)


def test_a_time_falls_within_its_bound_and_all_higher_ones():
    """Buckets are cumulative, a bound belongs to its own, and what is longer than the last is in the count alone."""
    clocked = Clocked()
    for seconds in (0.0, SECONDS[0], 0.5, 64.0):
        clocked.add(seconds)
    now = clocked.now()
    assert now.within[0] == 2
    assert now.within[SECONDS.index(0.5)] == now.within[-1] == 3
    assert (now.count, now.seconds) == (4, SECONDS[0] + 64.5)


def test_who_reads_does_not_disturb_who_counts():
    """While one thread counts new labels others read, and at the end every count is there."""
    tally, clocked, stop = Tally(), Clocked(), threading.Event()

    def read() -> None:
        while not stop.is_set():
            tally.items()
            clocked.now()

    thread = threading.Thread(target=read)
    thread.start()
    for number in range(5_000):
        tally.add(str(number % 700))
        clocked.add(0.001)
    stop.set()
    thread.join()
    assert tally.total() == clocked.now().count == 5_000
