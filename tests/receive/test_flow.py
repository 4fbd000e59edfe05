"""What came equals what became of it."""

from concurrent.futures import Future

import pytest

from collector.decode.decoded import Decoded
from collector.receive.flow import Flow
from collector.store.errors import Busy, Unavailable
from collector.store.writing.group import Receipt
from tests.store.rows import log, logs, span, spans


class Sink:
    """Holds what was handed over until the test says what became of it."""

    def __init__(self) -> None:
        self.taken: list[Future[Receipt]] = []
        self.full = False

    def submit(self, decoded: Decoded) -> "Future[Receipt]":
        """Take it, or say that there is no room."""
        if self.full:
            raise Busy(1.0)
        assert decoded.rows
        self.taken.append(Future())
        return self.taken[-1]


def total(counted: list[tuple[tuple[str, ...], int]]) -> int:
    """The sum of all counts."""
    return sum(number for _, number in counted)


def test_every_row_has_its_place():
    """Stored, duplicate, refused (by the decoder and by the database) and put off add up to what came, by kind."""
    sink = Sink()
    flow = Flow(sink)
    first = spans(span(1, 1), span(1, 2), span(1, 3))
    first.rejected = {"trace_id_zero": 2}
    flow.submit(first)
    flow.submit(spans(span(2, 1)))
    flow.submit(logs(log(1, 1)))
    assert (flow.received.total("spans"), flow.received.total("logs"), flow.stored.total()) == (6, 1, 0)
    assert flow.waiting == 3
    sink.taken[0].set_result(Receipt(1, 1, 1, {"unstorable": 1}))
    sink.taken[1].set_exception(Unavailable("x"))
    sink.taken[2].set_result(Receipt(1, 1, 0))
    assert flow.waiting == 0
    assert flow.stored.items() == [(("logs",), 1), (("spans",), 1)]
    assert flow.duplicate.items() == [(("logs",), 0), (("spans",), 1)]
    assert flow.refused == [(("spans", "trace_id_zero"), 2), (("spans", "unstorable"), 1)]
    assert flow.put_off == [(("logs",), 0), (("spans",), 1)]
    assert flow.received.total() == flow.stored.total() + flow.duplicate.total() + total(flow.refused) + total(
        flow.put_off
    )


def test_what_finds_no_room_is_put_off():
    """A refusal of the sink is passed on, and its rows are counted as put off."""
    sink = Sink()
    sink.full = True
    flow = Flow(sink)
    with pytest.raises(Busy):
        flow.submit(spans(span(1, 1), span(1, 2)))
    assert flow.put_off == [(("logs",), 0), (("spans",), 2)]
