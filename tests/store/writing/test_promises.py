"""What was answered is owed until it is committed, and a reader waits for what was owed when it came."""

import threading
from collections.abc import Callable

import pytest

from collector.store.writing.group import Request, promise
from collector.store.writing.promises import Promises
from tests.store.rows import span, spans
from tests.waiting import until


@pytest.fixture
def changed() -> threading.Condition:
    """The lock of the promises."""
    return threading.Condition()


@pytest.fixture
def promises(changed: threading.Condition) -> Promises:
    """None yet."""
    return Promises(changed)


def reading(promises: Promises) -> threading.Thread:
    """A reader that waits."""
    thread = threading.Thread(target=promises.catch_up, args=(60,))
    thread.start()
    until(lambda: promises.readers)
    return thread


def test_a_promise_is_owed_until_it_is_kept(promises: Promises):
    """Also while what it is for waits to be tried again."""
    promises.make(3)
    promises.keep(1)
    assert promises.owed == 2
    request = Request(spans(span(1, 1)), promise(), 0.0)
    promises.put_off([request])
    assert (promises.owed, promises.put_back) == (2, 1)
    assert promises.again() is request
    assert (promises.owed, promises.put_back) == (2, 0)
    promises.keep(2)
    assert promises.owed == 0


@pytest.mark.parametrize("freed", [lambda each: each.keep(1), Promises.end, lambda each: each.put_off([object()])])
def test_a_reader_waits_for_what_was_owed_when_it_came(
    promises: Promises, changed: threading.Condition, freed: Callable[[Promises], None]
):
    """Not for what is promised later; and not for what cannot be committed, nor after the end."""
    promises.make()
    thread = reading(promises)
    with changed:
        promises.make()
        changed.notify_all()
    thread.join(0.02)
    assert thread.is_alive()
    with changed:
        freed(promises)
        changed.notify_all()
    thread.join()
    assert promises.readers == 0


def test_a_reader_without_promises_does_not_wait(promises: Promises):
    """And one whose time is up goes without them."""
    promises.catch_up(1e6)
    promises.make()
    promises.catch_up(0.001)
    assert promises.owed == 1
