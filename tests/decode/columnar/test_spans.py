"""A table of spans, and which spans must not be in it. That its rows are right is the reader's test."""

import numpy as np
import pyarrow as pa
import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from collector.decode.columnar import groups, lean, spans
from collector.decode.columns import SPANS
from tests.decode.samples import SPAN, TRACE, request, span


def read(*held: Span) -> spans.Spans:
    """These spans."""
    found = groups.read([request(*held, resource={"a": "x" * 100}).SerializeToString()])
    return spans.Spans(lean.spans(found.spans), np.zeros(len(held), np.int64), found, {})


def test_the_table_has_the_columns_of_the_store():
    """In their order, with their types."""
    table, size = read(span(), span(span_id=b"neighbor")).table()
    assert table.schema == pa.schema(list(SPANS.items()))
    assert size > 2 * 512


def test_keys_are_both_ids():
    """24 bytes a span."""
    assert read(span(), span(span_id=b"neighbor")).keys() == [TRACE + SPAN, TRACE + b"neighbor"]


def test_odd_spans_are_told():
    """Wrong ids, links of a wrong form, letters that are not UTF-8."""
    bad = [
        span(trace_id=b"x"),
        span(links=[Span.Link(trace_id=b"x")]),
        span(parent_span_id=b"x"),
        span(span_id=bytes(8)),
    ]
    assert read(span(), *bad).odd.tolist() == [False, True, True, True, True]


def test_a_table_that_would_be_too_large_is_not_made(monkeypatch: pytest.MonkeyPatch):
    """What the rows share is counted before it is repeated."""
    held = read(*(span() for _ in range(10)))
    assert held.expected > 1000
    monkeypatch.setattr(spans, "LARGEST", 1000)
    with pytest.raises(ValueError, match="too many"):
        held.table()
