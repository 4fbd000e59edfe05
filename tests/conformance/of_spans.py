"""S: what a span means, and that it is stored as it was sent. Most of it needs an endpoint that shows what it stores."""

import math
from typing import Any

from opentelemetry.proto.common.v1.common_pb2 import AnyValue, EntityRef, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from tests.conformance.answer import full, partial, success
from tests.conformance.bodies import field, good, spans, trace, with_attribute, with_one_bad
from tests.conformance.item import BOTH, Way, item, need
from tests.conformance.target import Target
from tests.decode.samples import pairs, request, span


def stored(at: Target, way: Way, *sent: Span, **resource: Any) -> list[dict[str, Any]]:
    """Send these spans of one trace, with success; what is stored of them, in the order of their ids."""
    success(at.send(way, request(*sent, **({"resource": resource} if resource else {}))))
    return at.rows(sent[0].trace_id)


def same(found: Any, sent: Any, what: str) -> None:
    """Raise Failed unless they are equal, in their kinds too."""
    need(found == sent and type(found) is type(sent), f"{what}: sent {sent!r}, stored {found!r}"[:200])


@item("S-01", "MUST")
def ids_are_needed(at: Target, way: Way) -> None:
    """Ids of a wrong length or of zeros alone refuse their span; ids as hex text get a hint."""
    for wrong in ({"trace_id": bytes(16)}, {"span_id": bytes(8)}, {"span_id": b"1234567"}, {"trace_id": b"1" * 17}):
        of = trace()
        partial(at.send(way, with_one_bad(of, 4, **wrong)), 1)
        at.holds(of, 4)
    if way != "json":  # there hex is what is wanted
        text = {"trace_id": trace().hex().encode(), "span_id": b"0123456789abcdef"}
        need("hex" in partial(at.send(way, with_one_bad(trace(), 4, **text)), 1), "hex text as ids, without a hint")


@item("S-02", "J")
def parents(at: Target, way: Way) -> None:
    """A parent id of zeros means a root; one of another length is set aside, and the span stays."""
    of = trace()
    rows = stored(
        at,
        way,
        *(
            span(trace_id=of, span_id=bytes(7) + bytes([n]), parent_span_id=p)
            for n, p in ((1, b""), (2, bytes(8)), (3, b"12345"), (4, b"parent!!"))
        ),
    )
    need([r["parent_span_id"] for r in rows] == [None, None, None, b"parent!!".hex()], "parents are stored otherwise")
    need(rows[2]["beside"], "the odd parent id is lost")


@item("S-03", "J")
def links(at: Target, way: Way) -> None:
    """A link with bad ids is set aside and told; its span and the other links stay."""
    of = trace()
    sent = spans(of)[0]
    for ids in ((b"short", b"s" * 8), (of, b"s" * 8), (bytes(16), b"s" * 8)):
        sent.links.add(trace_id=ids[0], span_id=ids[1])
    need(partial(at.send(way, request(sent)), 0), "without a warning")
    if at.inside:
        row = at.rows(of)[0]
        need(len(row["links"]) == 1 and row["links"][0]["trace_id"] == of.hex(), f"links: {row['links']}")


@item("S-04", "J")
def odd_times(at: Target, way: Way) -> None:
    """Times are kept as they are: none, end before start, 1970, beyond 2262, long ago; durations are never negative."""
    last = 2**64 - 1
    times = [(0, 0), (9, 3), (5, 0), (1, 2), (2**63, last), (last, last)]
    of = trace()
    sent = [
        span(trace_id=of, span_id=bytes(7) + bytes([n]), start_time_unix_nano=start, end_time_unix_nano=end)
        for n, (start, end) in enumerate(times, 1)
    ]
    rows = stored(at, way, *sent)
    need([(r["start_ns"], r["end_ns"]) for r in rows] == times, "times were changed")
    need([r["duration_ns"] for r in rows] == [max(0, end - start) for start, end in times], "durations are wrong")


@item("S-05", "MUST")
def clocks_are_not_corrected(at: Target, way: Way) -> None:
    """A child that begins before its parent keeps its time."""
    of = trace()
    parent = span(trace_id=of, span_id=b"00000001", start_time_unix_nano=1000, end_time_unix_nano=2000)
    child = span(trace_id=of, span_id=b"00000002", parent_span_id=b"00000001", start_time_unix_nano=10)
    need([r["start_ns"] for r in stored(at, way, parent, child)] == [1000, 10], "times were changed")


@item("S-06", "MUST")
def name_and_kind(at: Target, way: Way) -> None:
    """An empty name is valid; kind 0 stays 0, and an unknown kind stays what it is."""
    of = trace()
    rows = stored(at, way, *(span(trace_id=of, span_id=bytes(7) + bytes([k + 1]), name="", kind=k) for k in (0, 3)))
    need([(r["name"], r["kind"]) for r in rows] == [("", 0), ("", 3)], "name or kind was changed")


@item("S-07", "MUST")
def flags(at: Target, way: Way) -> None:
    """All 32 bits of flags are kept, those of a remote parent among them."""
    of = trace()
    sent = spans(of, 1, flags=0x8000_0301)[0]
    sent.links.add(trace_id=of, span_id=b"s" * 8, flags=0x301)
    row = stored(at, way, sent)[0]
    need((row["flags"], row["links"][0]["flags"]) == (0x8000_0301, 0x301), f"stored {row['flags']:x}")


@item("S-08", "J")
def duplicate_keys(at: Target, way: Way) -> None:
    """Of attributes with one key the last counts, and the others are kept and told."""
    of = trace()
    sent = spans(of)[0]
    for value in ("first", "second", "last"):
        sent.attributes.add(key="k", value=AnyValue(string_value=value))
    need(partial(at.send(way, request(sent)), 0), "without a warning")
    if at.inside:
        row = at.rows(of)[0]
        same(row["attributes"]["k"], "last", "k")
        kept = [note["value"] for note in row["beside"] if note["kind"] == "duplicate_key"]
        need(sorted(kept) == ["first", "second"], f"kept beside: {kept}")


@item("S-09", "MUST")
def values(at: Target, way: Way) -> None:
    """All kinds of values are told apart, integers exact: null, empty lists and maps, nested null, -0.0, NaN, bytes."""
    big = 2**63 - 1
    sent: dict[str, Any] = {"int": big, "low": -big - 1, "double": 2.0, "true": True, "text": "1", "null": None}
    sent |= {"empty list": [], "empty map": {}, "mixed": [1, None, {"a": [2.5, "x"]}], "minus": -0.0, "empty": ""}
    of = trace()
    row = stored(at, way, spans(of, 1, attributes=sent | {"bytes": b"\0\xff", "nan": math.nan})[0])
    found = row[0]["attributes"]
    for key, value in sent.items():
        same(found[key], value, key)
    same(math.copysign(1, found["minus"]), -1.0, "-0.0")
    kinds = {note["at"]: note["kind"] for note in row[0]["beside"]}
    need(kinds == {"/attributes/bytes": "bytes", "/attributes/nan": "not_finite"}, f"beside: {kinds}")


@item("S-10", "MUST")
def everything_is_kept(at: Target, way: Way) -> None:
    """Every field of a span, its events, links, scope and resource is stored as it was sent."""
    of = trace()
    event = Span.Event(time_unix_nano=7, name="e", attributes=pairs({"a": 1}), dropped_attributes_count=2)
    link = Span.Link(trace_id=of, span_id=b"linked!!", trace_state="l=1", attributes=pairs({"b": 2}), flags=257)
    sent = good(of, 1, trace_state="a=1", kind=4, dropped_attributes_count=3, dropped_events_count=4, events=[event])
    one = sent.resource_spans[0].scope_spans[0].spans[0]
    one.links.append(link)
    one.dropped_links_count = 5
    one.status.CopyFrom(Status(code=2, message="why"))
    outer = sent.resource_spans[0]
    outer.schema_url, outer.scope_spans[0].schema_url = "https://r", "https://s"
    outer.resource.dropped_attributes_count = 6
    outer.resource.entity_refs.append(EntityRef(schema_url="https://e", type="host", id_keys=["host.id"]))
    scope = outer.scope_spans[0].scope
    scope.dropped_attributes_count = 7
    scope.attributes.extend(pairs({"in": "scope"}))
    full(at.send(way, sent))
    row = at.rows(of)[0]
    expected = {
        "trace_state": "a=1",
        "kind": 4,
        "name": "chat",
        "status_code": 2,
        "status_message": "why",
        "dropped_attributes_count": 3,
        "dropped_events_count": 4,
        "dropped_links_count": 5,
        "scope_name": "lib",
        "scope_version": "1",
        "scope_attributes": {"in": "scope"},
        "scope_dropped_attributes_count": 7,
        "scope_schema_url": "https://s",
        "resource": {"service.name": "shop"},
        "resource_dropped_attributes_count": 6,
        "resource_schema_url": "https://r",
    }
    for name, value in expected.items():
        same(row[name], value, name)
    kept = {"name": "e", "time_unix_nano": 7, "attributes": {"a": 1}, "dropped_attributes_count": 2}
    same(row["events"], [kept], "events")
    found = row["links"][0]
    need((found["trace_id"], found["span_id"]) == (of.hex(), b"linked!!".hex()), f"ids of the link: {found}")
    need((found["trace_state"], found["attributes"], found["flags"]) == ("l=1", {"b": 2}, 257), f"link: {found}")
    reference = row["resource_entity_refs"][0]
    need((reference["type"], reference["id_keys"]) == ("host", ["host.id"]), f"entity_refs: {reference}")


@item("S-11", "MUST")
def texts(at: Target, way: Way) -> None:
    """U+0000 and every plane of Unicode are kept; what is not UTF-8 is repaired, told, and kept beside."""
    of, text = trace(), "a\0b é 漢 \U0001f600"
    row = stored(at, way, spans(of, 1, name=text, attributes={text: text})[0])[0]
    same(row["name"], text, "name")
    same(row["attributes"], {text: text}, "attributes")
    if way == "json":
        return
    of = trace()
    cut = KeyValue(key="cut").SerializeToString() + field(2, field(1, b"half \xe4\xbd"))
    need(partial(at.send(way, with_attribute(of, cut)), 0), "without a warning")
    repaired = at.rows(of)[1]
    same(repaired["attributes"]["cut"], "half \ufffd", "cut")
    need(any(note["value"] == b"half \xe4\xbd".hex() for note in repaired["beside"]), "the bytes are lost")


@item("S-12", "MUST")
def any_shape(at: Target, way: Way) -> None:
    """Several roots, lost parents, cycles, children before and without their parents: all valid."""
    of = trace()
    edges = {1: 0, 2: 0, 3: 99, 4: 5, 5: 4, 6: 6, 8: 7, 7: 1}
    sent = [
        span(trace_id=of, span_id=n.to_bytes(8, "big"), parent_span_id=p.to_bytes(8, "big")) for n, p in edges.items()
    ]
    full(at.send(way, request(*sent[3:])))
    full(at.send(way, request(*sent[:3])))
    at.holds(of, len(edges))


def _huge(at: Target, way: Way, *, text: int, attributes: int, events: int, batch: int) -> None:
    of = trace()
    long = "é" * (text // 2)
    row = stored(at, way, spans(of, 1, attributes={"prompt": long})[0])[0]
    need(row["attributes"]["prompt"] == long, f"a text of {text} bytes came out shorter")
    many = {f"k{n}": n for n in range(attributes)}
    need(stored(at, way, spans(trace(), 1, attributes=many)[0])[0]["attributes"] == many, "attributes are lost")
    busy = spans(trace(), 1, events=[Span.Event(name="e", time_unix_nano=n) for n in range(events)])[0]
    need(len(stored(at, way, busy)[0]["events"]) == events, "events are lost")
    of = trace()
    full(at.send(way, good(of, batch)))
    found = at.rows(of, "(SELECT count(*) AS n, trace_id FROM spans GROUP BY trace_id)")
    need(found[0]["n"] == batch, f"{found[0]['n']} of {batch} spans are stored")


@item("S-13", "MUST", BOTH)
def large(at: Target, way: Way) -> None:
    """Nothing is shortened in silence: 1 MB of text, 1,000 attributes, 5,000 events, 3,000 spans."""
    _huge(at, way, text=1_000_000, attributes=1_000, events=5_000, batch=3_000)


@item("S-13", "MUST", BOTH, long=True)
def huge(at: Target, way: Way) -> None:
    """Nor 20 MB of text, 10,000 attributes, 100,000 events, 50,000 spans."""
    _huge(at, way, text=20_000_000, attributes=10_000, events=100_000, batch=50_000)
