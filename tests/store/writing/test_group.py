"""Groups: who gets which receipt."""

from concurrent.futures import Future

import pyarrow as pa
import pytest

from collector.decode.columns import SPANS
from collector.decode.decoded import Decoded
from collector.store.errors import Unavailable
from collector.store.writing.group import UNSTORABLE, Receipt, Request, Rows, promise
from collector.store.writing.identity import Verdict
from tests.decode import samples as wire
from tests.decode.columnar.compare import by_column
from tests.decode.samples import request
from tests.store.rows import span, spans

SCHEMA = pa.schema(list(SPANS.items()))


def group(*requests: Decoded) -> Rows:
    """The rows of a group with these requests."""
    return Rows([Request(decoded, Future(), 0.0) for decoded in requests], SCHEMA)


def test_each_request_gets_its_own_counts():
    """Rejected rows and duplicates count for the request that brought them."""
    rows = group(spans(span(1, 1), span(1, 2)), spans(span(1, 3), span(1, 1), span(1, 4, name="\ud800")))
    rows.verdict = Verdict(duplicates=[3])
    receipts = [receipt for _, receipt in rows.receipts(7)]
    assert [(r.seq, r.stored, r.duplicates, r.rejected) for r in receipts] == [
        (7, 2, 0, {}),
        (7, 1, 1, {UNSTORABLE: 1}),
    ]


def test_rows_rejected_in_the_middle_keep_the_others_in_place():
    """After a rejection positions still lead to the right request."""
    rows = group(spans(span(1, 1, name="\ud800"), span(1, 2)), spans(span(1, 3), span(1, 4)))
    rows.reject({2})
    assert [receipt.stored for _, receipt in rows.receipts(1)] == [1, 1]
    assert rows.kept["span_id"].to_pylist() == [f"{2:016x}", f"{3:016x}"]


def test_duplicates_are_not_kept():
    """The rows to be stored are those without duplicates."""
    rows = group(spans(span(1, 1), span(1, 1)))
    rows.verdict = Verdict(duplicates=[1])
    assert len(rows) == 2
    assert rows.kept.num_rows == 1
    assert rows.some([1]).num_rows == 1


def test_a_table_that_was_made_of_lists_is_handed_back():
    """Each request has its own rows of it, in place of the lists, and a group of them is as before."""
    first = group(spans(span(1, 1), span(1, 2)), in_tables(3, 4), spans(span(1, 5)))
    before = first.kept
    first.hand_back()
    assert [request.decoded.columns for request in first.requests] == [{}] * 3
    assert [request.decoded.rows for request in first.requests] == [2, 6, 1]
    backwards = Rows(first.requests[::-1], SCHEMA)
    assert backwards.kept.equals(pa.concat_tables([before[8:], before[2:8], before[:2]]))
    assert backwards.keys == first.keys[8:] + first.keys[2:8] + first.keys[:2]


def in_tables(*numbers: int) -> Decoded:
    """Two requests that were read by column, with one span each that was read by itself."""
    bodies = [
        request(
            *(wire.span(span_id=bytes([number, 9, 9, 9, 9, 9, 9, place])) for place in range(2)),
            wire.span(span_id=bytes([number] * 8), attributes={"odd": b"x"}),
        ).SerializeToString()
        for number in numbers
    ]
    batch = by_column(bodies)
    assert batch is not None
    return batch.decoded


def test_rows_of_tables_and_of_lists_are_one_table():
    """Each request's rows stay together, in the order of its keys, whatever form they came in."""
    rows = group(spans(span(1, 1)), in_tables(1, 2), spans(span(1, 2)), spans(span(1, 3)), in_tables(3))
    assert rows.column("span_id") == [key[16:].hex() for key in rows.keys]
    assert rows.kept.schema == SCHEMA
    assert len(rows) == len(rows.column("name")) == 1 + 6 + 2 + 3
    assert rows.look([1, 0], ["name", "start_time"]) == {
        "name": ["chat", "step"],
        "start_time": [None, 1790000000000000001],
    }


def test_a_refusal_is_told_to_the_request_within_a_batch():
    """The rows of one hand-over may be several requests': the receipt says whose were refused."""
    rows = group(spans(span(1, 1)), in_tables(1, 2))
    rows.reject({1, 5, 6})  # the first request's first span, and both odd ones
    receipts = [receipt for _, receipt in rows.receipts(1)]
    assert [(r.stored, r.rejected, r.unstorable) for r in receipts] == [
        (1, {}, {}),
        (3, {UNSTORABLE: 3}, {0: 2, 1: 1}),
    ]
    assert len(rows.refused) == 3


def test_a_receipt_waits_for_the_commit_and_not_for_ever():
    """Where the rows were answered before their commit, what became of them then is told; too late is Unavailable."""
    plain, later = Receipt(1, 2, 0), promise()
    assert plain.final() is plain
    early = Receipt(1, 0, 0, later=later)
    with pytest.raises(Unavailable, match="kept beside the store"):
        early.final(0.01)
    later.set_result(plain)
    assert early.final() is plain
