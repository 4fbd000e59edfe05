"""Rows → spans."""

import random

from collector.normalize.reading import read
from tests.normalize.spans import event, link, log, logs, row, spans, table


def test_spans_come_in_order_of_start_whatever_order_they_arrived_in() -> None:
    """Order is by start, then by trace and span id."""
    rows = [row(f"s{i}", start=[30, 10, 10, 20][i], end=50) for i in range(4)]
    for seed in range(5):
        mixed = random.Random(seed).sample(rows, len(rows))
        assert [span.span_id for span in read(table(mixed), logs())] == ["s1", "s2", "s3", "s0"]


def test_attributes_events_links_and_resource_are_decoded() -> None:
    """What stands as JSON in the columns is there as values."""
    (span,) = spans(
        row("s", {"a": [1, {"b": 2}]}, events=[event("e", {"x": 1}, at=7)], links=[link("l", "other", how="y")])
    )
    assert span.attributes == {"a": [1, {"b": 2}]}
    assert span.resource == {"service.name": "shop"}
    assert [(e.name, e.time, e.attributes, e.body) for e in span.events] == [("e", 7, {"x": 1}, None)]
    assert [(x.trace_id, x.span_id, x.attributes) for x in span.links] == [("other", "l", {"how": "y"})]


def test_status_tells_failed_ok_and_unset_apart() -> None:
    """Error is failed, ok is ok, unset is neither."""
    found = spans(row("e", error="boom"), row("o", ok=True), row("u"))
    assert [(s.failed, s.ok, s.status_message) for s in found] == [
        (True, False, "boom"),
        (False, True, ""),
        (False, False, ""),
    ]


def test_missing_columns_of_a_row_have_their_zero() -> None:
    """A span without an end, a name or events is read, and has not ended."""
    (span,) = spans(row("s", end=0) | {"name": None, "events": None, "links": None, "attributes": None, "flags": None})
    assert (span.end, span.name, span.events, span.links, span.attributes) == (0, "", [], [], {})


def test_logs_join_their_span_and_keep_their_time_order() -> None:
    """A log that names a span is an event of it; its order of arrival does not matter."""
    told = [log("s", "late", {"n": 2}, at=9), log("s", "early", {"n": 1}, at=3), log("other", "lost", at=1)]
    (span,) = spans(row("s", events=[event("middle", at=5)]), told_by=told)
    assert [(e.name, e.body) for e in span.events] == [("early", {"n": 1}), ("middle", None), ("late", {"n": 2})]


def test_a_log_without_a_time_has_the_time_of_its_observation() -> None:
    """`observed_ns` stands in where `time_ns` is zero."""
    (span,) = spans(row("s"), told_by=[log("s", "e", at=0) | {"observed_ns": 8}])
    assert span.events[0].time == 8


def test_a_remote_parent_is_one_that_the_flags_call_remote() -> None:
    """Both bits, has-is-remote and is-remote, must be set (SpanFlags)."""
    found = spans(*(row(f"s{flags}", flags=flags) for flags in (0, 0x100, 0x200, 0x300, 0x301)))
    assert [s.remote_parent for s in found] == [False, False, False, True, True]


def test_dropped_attributes_make_a_span_lossy() -> None:
    """The exporter's own count of what it dropped is kept in mind."""
    assert [s.lossy for s in spans(row("a"), row("b", dropped=1))] == [False, True]
