"""Threads that take turns."""

import threading
import time

import pytest

from collector.store.trees.turns import Turns


def test_who_asked_first_is_next():
    """A thread that gives its turn back and asks again comes after one that waited meanwhile."""
    turns, order = Turns(), []

    def other() -> None:
        with turns:
            order.append("other")

    thread = threading.Thread(target=other)
    with turns:
        thread.start()
        deadline = time.monotonic() + 20
        while turns._next < 2 and time.monotonic() < deadline:
            time.sleep(0.001)
        order.append("first")
    with turns:
        order.append("again")
    thread.join()
    assert order == ["first", "other", "again"]


def test_a_turn_ends_with_an_error():
    """Whatever happens inside, the next one gets its turn."""
    turns = Turns()
    with pytest.raises(ZeroDivisionError), turns:
        _ = 1 // 0
    with turns:
        assert turns._now == 1
