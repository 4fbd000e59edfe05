"""Requests keep their order, each is told once, and a reader waits for what was answered."""

import threading
import time

import pytest

from collector.store.errors import Busy, Unavailable
from collector.store.file.space import Space
from collector.store.writing import pace
from collector.store.writing.arrivals import Arrivals, Rate
from collector.store.writing.door import Door, Matter
from collector.store.writing.group import Receipt, Request
from collector.store.writing.limits import WriterLimits
from collector.store.writing.queue import Queue
from tests.store.rows import span, spans

LOST = Unavailable("no")


class Case:
    """A queue, its lock and its door."""

    def __init__(self, **limits: float) -> None:
        self.changed, self.door = threading.Condition(), Door(Space(None))
        self.queue = Queue(self.changed, self.door, WriterLimits(**limits))  # ty: ignore[invalid-argument-type]

    def come(self, *numbers: int) -> list[Request]:
        """One request each."""
        return [self.queue.submit(spans(span(1, number))) for number in numbers]

    def answer(self, seq: int = 7) -> list[Request]:
        """As the stand-in does it, for a writer that is held up."""
        with self.queue.held_up():
            found = self.queue.to_answer()
            self.queue.answer(found, (), seq)
        return found

    def left(self) -> int:
        """Answered requests that are not committed yet."""
        return self.queue.promises.owed

    def commit(self, group: list[Request], seq: int = 8) -> None:
        """As the writer does it."""
        self.queue.committed((request, Receipt(seq, 1, 0)) for request in group)


@pytest.fixture
def case(monkeypatch: pytest.MonkeyPatch) -> Case:
    """A queue whose requests are answered without patience."""
    monkeypatch.setattr(pace, "PATIENCE", 0.0)
    return Case()


def test_groups_come_in_order_and_within_their_limits():
    """A group has the oldest requests, up to so many rows; each is told its commit, and its bytes are given back."""
    case = Case(rows=2)
    sent = case.come(1, 2, 3)
    assert case.queue.waiting_bytes == 3000
    group = case.queue.gather()
    assert group == sent[:2]
    case.commit(group)
    case.commit(case.queue.gather(), 9)
    assert [request.future.result().seq for request in sent] == [8, 8, 9]
    assert (len(case.queue), case.queue.waiting_bytes) == (0, 0)


def test_too_much_and_a_shut_door_are_refused():
    """Over the budget Busy is raised, but not for a request that is alone; behind a shut door what it says."""
    case = Case(queue_bytes=500)
    case.come(1)
    with pytest.raises(Busy):
        case.come(2)
    case.door.shut(Matter.BROKEN)
    with pytest.raises(Unavailable):
        case.come(3)


def test_who_waits_for_a_writer_that_is_held_up_is_answered_once(case: Case):
    """The answer says that more is told later, and the commit tells it; nobody is offered twice, and the place is kept."""
    sent = case.come(1, 2)
    assert case.answer() == sent
    case.come(3)
    assert len(case.answer()) == 1
    early = [request.future.result() for request in sent]
    assert [receipt.seq for receipt in early] == [7, 7]
    assert case.left() == 3
    group = case.queue.gather()
    assert group[:2] == sent
    case.commit(group)
    assert [receipt.later.result() for receipt in early if receipt.later] == [Receipt(8, 1, 0)] * 2
    assert case.left() == 0


def test_nobody_is_answered_while_the_writer_works_or_the_door_is_shut(case: Case):
    """Requests are offered only while the writer is held up, and not behind a shut door; the end of the queue ends the wait."""
    found: list[list[Request]] = []
    looking = threading.Thread(target=lambda: found.append(case.queue.to_answer()))
    looking.start()
    case.come(1)
    case.door.shut(Matter.BROKEN)
    with case.queue.held_up():
        looking.join(0.05)
    assert found == []
    case.queue.end()
    looking.join()
    assert found == [[]]


def test_a_request_has_patience_for_a_moment(monkeypatch: pytest.MonkeyPatch):
    """A writer that is held up shortly is waited for."""
    monkeypatch.setattr(pace, "PATIENCE", 0.2)
    case = Case()
    begun = time.monotonic()
    case.come(1)
    case.answer()
    assert time.monotonic() - begun >= 0.2


def test_a_commit_overtakes_the_answer(case: Case):
    """A request that is committed while it is being kept is told its commit, and nothing else."""
    (sent,) = case.come(1)
    with case.queue.held_up():
        found = case.queue.to_answer()
    case.commit(case.queue.gather())
    waiting = threading.Thread(target=case.queue.await_kept)
    waiting.start()
    waiting.join(0.02)
    assert waiting.is_alive(), "it is still being kept"
    case.queue.answer(found, (), 7)
    waiting.join()
    assert sent.future.result() == Receipt(8, 1, 0)
    assert sent.future.result().later is None
    assert case.left() == 0


def test_what_was_answered_is_never_refused(case: Case):
    """Where a group fails, who was not answered is to send again, and the others are tried again, each by itself."""
    case.come(1, 2)
    early = case.answer()
    (late,) = case.come(3)
    case.queue.failed([*case.queue.gather(), *case.queue.gather()], LOST)
    with pytest.raises(Unavailable):
        late.future.result()
    assert (case.queue.promises.put_back, len(case.queue), case.queue.waiting_bytes) == (2, 0, 2000)
    for request in early:
        assert case.queue.again() == [request]
        case.commit([request])
    assert [request.later.result().stored for request in early if request.later] == [1, 1]
    assert (case.left(), case.queue.waiting_bytes) == (0, 0)


def test_all_that_waits_can_be_refused_but_for_the_answered(case: Case):
    """After a refusal nothing waits in line, the answered stay for another try, and later ones are offered again."""
    case.come(1)
    case.answer()
    (late,) = case.come(2)
    case.queue.refuse(LOST)
    assert isinstance(late.future.exception(), Unavailable)
    assert (len(case.queue), case.queue.promises.put_back) == (0, 1)
    assert case.come(3) == case.answer()


def test_a_reader_waits_for_what_was_answered(case: Case):
    """`catch_up` returns with the commit of what was answered before it, at once where there is nothing, or when time is up."""
    case.queue.promises.catch_up(60)
    case.come(1)
    case.answer()
    case.queue.promises.catch_up(0.01)
    read = threading.Event()
    reader = threading.Thread(target=lambda: (case.queue.promises.catch_up(60), read.set()))
    reader.start()
    group = case.queue.gather()
    case.come(2)
    case.answer()  # after the reader came: it does not wait for this one
    assert not read.wait(0.02)
    case.commit(group)
    assert read.wait(60)
    reader.join()


def test_what_an_earlier_process_answered_is_first(case: Case):
    """It stands in line, and is not offered to be answered once more."""
    case.queue.resume(spans(span(1, 1)))
    assert case.left() == 1
    assert case.come(2) == case.answer()
    group = case.queue.gather()
    assert [request.decoded.keys[0][-1] for request in group] == [1, 2]
    case.commit(group)
    assert case.left() == 0


@pytest.fixture
def burst(monkeypatch: pytest.MonkeyPatch) -> Case:
    """A queue in which anything is a burst, and three rows are a large group."""
    monkeypatch.setattr(Arrivals, "rate", lambda _: Rate(1e9, 1))
    case = Case(burst_rows=3, rows=1, burst_seconds=60)
    case.queue.stand_in()
    return case


def gathering(case: Case) -> tuple[threading.Thread, list[list[Request]]]:
    """A writer that waits for the next group."""
    found: list[list[Request]] = []
    thread = threading.Thread(target=lambda: found.append(case.queue.gather()))
    thread.start()
    thread.join(0.05)
    return thread, found


def test_in_a_burst_all_are_answered_and_the_writer_waits_for_a_large_group(burst: Case):
    """Requests are offered at once though nothing holds the writer up, and it takes them when there are enough rows."""
    sent = burst.come(1, 2)
    writer, found = gathering(burst)
    answered = burst.queue.to_answer()
    burst.queue.answer(answered, (), 7)
    assert (answered, found) == (sent, [])
    assert [request.future.result().later is not None for request in sent] == [True, True]
    sent += burst.come(3)
    (late,) = burst.come(4)
    writer.join(0.05)
    assert found == [], "the third row is not answered yet: its sender would wait for the group"
    burst.queue.answer(burst.queue.to_answer()[:1], (), 7)
    writer.join()
    assert found == [sent]
    assert not late.future.done()
    burst.commit(found[0])
    assert burst.left() == 0


def test_in_a_burst_the_writer_does_not_let_anybody_wait(burst: Case):
    """Who could not be kept elsewhere and who wants to read get the group as it is, and so does a shut door."""
    (sent,) = burst.come(1)
    writer, found = gathering(burst)
    burst.queue.answer((), burst.queue.to_answer(), 7)
    writer.join()
    assert found == [[sent]]
    burst.commit(found[0])
    assert sent.future.result().later is None

    burst.come(2)
    burst.queue.answer(burst.queue.to_answer(), (), 7)
    writer, found = gathering(burst)
    assert found == [], "nobody waits now"
    reader = threading.Thread(target=burst.queue.promises.catch_up)
    reader.start()
    writer.join()
    burst.commit(found[0])
    reader.join()

    burst.come(3)
    writer, found = gathering(burst)
    assert found == []
    with burst.changed:
        burst.door.shut(Matter.STOPPING)
        burst.changed.notify_all()
    writer.join()
    assert len(found[0]) == 1


def test_in_a_burst_other_work_does_not_wait_for_the_group(burst: Case):
    """A writer that is hurried gets no group that nobody waits for, but one that is due; without a burst always one."""
    burst.come(1)
    assert burst.queue.gather(lambda: True) == []
    burst.come(2, 3)
    burst.answer()
    assert len(burst.queue.gather(lambda: True)) == 3
    case = Case()
    assert case.come(4) == case.queue.gather(lambda: True)


def test_a_burst_ends(burst: Case, monkeypatch: pytest.MonkeyPatch):
    """When no more comes the group is taken as it is; with nobody who answers there is no burst at all."""
    burst.come(1)
    writer, found = gathering(burst)
    assert found == []
    monkeypatch.undo()
    writer.join()
    assert len(found[0]) == 1
    monkeypatch.setattr(Arrivals, "rate", lambda _: Rate(1e9, 1))
    burst.queue._pace.stood_in = False
    burst.come(2)
    assert len(burst.queue.gather()) == 1
