"""Readers of the file's bytes and checkpoints keep out of each other's way."""

import threading
import time

from collector.store.file.hold import Hold


def test_a_checkpoint_is_put_off_while_somebody_reads():
    """While a block reads, a checkpoint may not run; afterwards it may."""
    hold = Hold()
    with hold.reading(), hold.reading(), hold.checkpoint() as free:
        assert not free
    with hold.checkpoint() as free:
        assert free


def test_two_checkpoints_are_never_at_once():
    """While one runs no other may, however long that was put off; afterwards it may."""
    hold = Hold(longest=0, moment=0.01)
    with hold.checkpoint() as first, hold.checkpoint() as second:
        assert (first, second) == (True, False)
    with hold.checkpoint() as third:
        assert third


def test_a_checkpoint_waits_a_moment_for_a_reader_that_ends():
    """It runs as soon as the reader has ended, and those that came meanwhile go on right after it."""
    hold, reading, order = Hold(moment=20), threading.Event(), list[str]()

    def read_shortly() -> None:
        with hold.reading():
            reading.set()
            while hold._wanted is None:
                time.sleep(0.001)
            order.append("read")

    def read_later() -> None:
        with hold.reading():
            order.append("read later")

    first = threading.Thread(target=read_shortly)
    first.start()
    assert reading.wait(10)
    with hold.checkpoint() as free:
        assert free
        second = threading.Thread(target=read_later)
        second.start()
        order.append("checkpoint")
    second.join()
    first.join()
    assert order == ["read", "checkpoint", "read later"]


def test_readers_wait_for_a_checkpoint_that_is_due():
    """A reader that comes after a checkpoint was put off waits until it is done: readers cannot keep it off for ever."""
    hold, begun = Hold(), threading.Event()

    def read() -> None:
        with hold.reading():
            begun.set()

    with hold.reading(), hold.checkpoint() as free:
        assert not free
        later = threading.Thread(target=read)
        later.start()
        assert not begun.wait(0.2)
    with hold.checkpoint() as free:
        assert free
        assert not begun.is_set()
    assert begun.wait(10)
    later.join()


def test_nothing_is_put_off_for_ever():
    """After its longest time a checkpoint runs although somebody reads, and a reader begins although one is due."""
    hold = Hold(longest=0.0, moment=0.0)
    with hold.reading():
        with hold.checkpoint() as free:
            assert not free
        with hold.reading(), hold.checkpoint() as free:
            assert free
