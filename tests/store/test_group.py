"""Groups: who gets which receipt."""

from concurrent.futures import Future

import pyarrow as pa

from collector.decode.columns import SPANS
from collector.decode.decoded import Decoded
from collector.store.group import UNSTORABLE, Request, Rows
from collector.store.identity import Verdict
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
