"""Span rows, from facts."""

from typing import Any

import pytest

from collector.decode.beside import Notes
from collector.decode.decoded import Rejected
from collector.decode.group import Group, Resource, Scope
from collector.decode.spans import SpanRows, link
from tests.decode.samples import SPAN, TRACE


def group(**resource: Any) -> Group:
    """A group under this resource."""
    return Group(Resource(resource, 0, None, [], Notes()), Scope("lib", None, {}, 0, None, Notes()))


def add(rows: SpanRows, place: Group, name: str = "n", *, trace_id: bytes = TRACE, parent: bytes = b"") -> None:
    """Add a span with little in it."""
    rows.add(place, trace_id, SPAN, parent, "", 0, name, 0, 1, 2, (0, None), {}, None, None, (0, 0, 0))


def test_rows_carry_their_groups_columns():
    """Each row has the resource of its group, in order."""
    rows = SpanRows()
    for name in ("a", "b"):
        place = group(**{"service.name": name})
        rows.open(place)
        add(rows, place)
        add(rows, place)
    decoded = rows.finish()
    assert decoded.columns["service_name"] == ["a", "a", "b", "b"]
    assert decoded.columns["scope_name"] == ["lib"] * 4
    assert decoded.size > 0


def test_a_refused_row_leaves_no_notes():
    """What was noted about a refused row does not stick to the next."""
    rows, place = SpanRows(), group()
    rows.open(place)
    rows.notes.add("/attributes/x", "bytes", None)
    with pytest.raises(Rejected) as problem:
        add(rows, place, trace_id=b"")
    rows.reject(problem.value)
    add(rows, place)
    decoded = rows.finish()
    assert decoded.columns["beside"] == [None]
    assert (decoded.delivered, decoded.rows) == (2, 1)


def test_zero_parents_are_roots():
    """A parent of zeros is none (S-02)."""
    rows, place = SpanRows(), group()
    rows.open(place)
    add(rows, place, parent=bytes(8))
    assert rows.finish().columns["parent_span_id"] == [None]


def test_links_need_ids():
    """A link with ids of a wrong form is none (S-03)."""
    assert link(TRACE, SPAN, {}) == {"trace_id": TRACE.hex(), "span_id": SPAN.hex()}
    assert link(TRACE, bytes(8), {}) is None
    assert link(b"", SPAN, {}) is None
