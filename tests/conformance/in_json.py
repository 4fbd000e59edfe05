"""J: OTLP/JSON."""

import json
from base64 import b64encode, urlsafe_b64encode
from typing import Any

from tests.conformance.answer import Answer, full, partial, refused, success
from tests.conformance.bodies import trace
from tests.conformance.item import JSON, Way, item, need
from tests.conformance.target import Target


def one(of: bytes, number: int = 1, **fields: Any) -> dict[str, Any]:
    """A span; fields override, and None leaves one out."""
    whole = {"traceId": of.hex(), "spanId": f"{number:016x}", "name": "chat", "kind": 1} | fields
    return {name: value for name, value in whole.items() if value is not None}


def sent(*spans: dict[str, Any]) -> bytes:
    """A request of these spans."""
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).encode()


def valued(of: bytes, value: Any, number: int = 1) -> dict[str, Any]:
    """A span with this value as its attribute x."""
    return one(of, number, attributes=[{"key": "x", "value": value}])


def stored(at: Target, of: bytes) -> list[Any]:
    """The attribute x of a trace's spans, in their order."""
    return [row["attributes"].get("x", "absent") for row in at.rows(of)]


def rejected(at: Target, wrong: dict[str, Any], of: bytes, hint: str = "") -> None:
    """A span beside a good one: it alone is refused, with this hint."""
    message = partial(at.send("json", sent(one(of, 9), wrong)), 1)
    need(hint in message, f"without the hint {hint}: {message[:120]}")
    at.holds(of, 1)


def warned(at: Target, answer: Answer, of: bytes) -> None:
    """It is stored, and the sender told."""
    success(answer)
    at.holds(of, 1)
    need(answer.partial is not None and answer.partial[0] == 0, "without a warning")


@item("J-01", "MUST", JSON)
def ids_are_hex(at: Target, _way: Way) -> None:
    """Ids are hex digits of either case; base64 refuses its span, with a hint."""
    of = trace()
    full(at.send("json", sent(one(of, traceId=of.hex().upper(), spanId="00000000000000AB"))))
    at.holds(of, 1)
    rejected(at, one(trace(), traceId=b64encode(trace()).decode()), trace(), "hex")


@item("J-02", "MUST", JSON)
def enums_are_numbers(at: Target, _way: Way) -> None:
    """Enums are numbers, and unknown ones are kept. Names are accepted with a warning, or their span is refused."""
    of = trace()
    full(at.send("json", sent(one(of, kind=99, status={"code": 2}))))
    if at.inside:
        need([row["kind"] for row in at.rows(of)] == [99], "kind 99 is not kept")
    answer = at.send("json", sent(one(of := trace(), kind="SPAN_KIND_SERVER")))
    if answer.code == 200 and (answer.partial or (0, ""))[0] == 0:
        warned(at, answer, of)


@item("J-03", "MUST", JSON)
def unknown_fields_are_ignored(at: Target, _way: Way) -> None:
    """Unknown fields are ignored at every level."""
    of = trace()
    odd = {"future": {"a": [1]}, "nullFuture": None}
    event = {"name": "e", **odd}
    pair = {"key": "x", "value": {"stringValue": "y", "futureValue": 1}, **odd}
    span = one(of, attributes=[pair], events=[event], status={"code": 1, **odd}) | odd
    scope = {"scope": {"name": "s", **odd}, "spans": [span], **odd}
    whole = {"resourceSpans": [{"resource": odd, "scopeSpans": [scope], **odd}], **odd}
    full(at.send("json", json.dumps(whole).encode()))
    at.holds(of, 1)


@item("J-04", "MUST", JSON)
def names_are_camel(at: Target, _way: Way) -> None:
    """Names are lowerCamelCase. snake_case is accepted with a warning, or told otherwise; never dropped in silence."""
    of = trace()
    span = {"trace_id": of.hex(), "span_id": "11" * 8, "name": "snake"}
    body = {"resource_spans": [{"scope_spans": [{"spans": [span]}]}]}
    answer = at.send("json", json.dumps(body).encode())
    if answer.code == 200:
        warned(at, answer, of)
    else:
        refused(answer)


@item("J-05", "MUST", JSON)
def integers(at: Target, _way: Way) -> None:
    """64-bit integers come as texts and as numbers, exactly; what does not fit refuses its span alone."""
    of, big = trace(), 2**63 - 1
    forms: list[Any] = [str(big), big, "1.0", 1.0, -big - 1]
    full(at.send("json", sent(*(valued(of, {"intValue": form}, n) for n, form in enumerate(forms, 1)))))
    times = trace()
    full(at.send("json", sent(one(times, startTimeUnixNano=str(2**64 - 1), endTimeUnixNano=2**64 - 1))))
    if at.inside:
        need(stored(at, of) == [big, big, 1, 1, -big - 1], f"stored {stored(at, of)}")
        need(at.rows(times)[0]["start_ns"] == 2**64 - 1, "2^64-1 is not kept")
    for wrong in (2**63, "9223372036854775808", -(2**63) - 1, 1.5, "x"):
        rejected(at, valued(trace(), {"intValue": wrong}), trace())
    for wrong in (-1, 2**64, str(2**64)):
        rejected(at, one(trace(), startTimeUnixNano=wrong), trace())


@item("J-06", "MUST", JSON)
def doubles(at: Target, _way: Way) -> None:
    """Doubles are numbers, or "NaN", "Infinity", "-Infinity"; a bare NaN is no JSON, and 400."""
    of = trace()
    forms: list[Any] = [1.5, 3, "1.5", "NaN", "Infinity", "-Infinity"]
    full(at.send("json", sent(*(valued(of, {"doubleValue": form}, n) for n, form in enumerate(forms, 1)))))
    if at.inside:
        need(stored(at, of) == [1.5, 3, 1.5, "NaN", "Infinity", "-Infinity"], f"stored {stored(at, of)}")
    refused(at.send("json", sent(valued(trace(), {"doubleValue": float("nan")}))))


@item("J-07", "MUST", JSON)
def bytes_are_base64(at: Target, _way: Way) -> None:
    """Bytes are base64, standard or url-safe, padded or not."""
    of, raw = trace(), b"\xfb\xff\xfe\x00"
    forms = [b64encode(raw).decode(), urlsafe_b64encode(raw).decode(), b64encode(raw).decode().rstrip("=")]
    full(at.send("json", sent(*(valued(of, {"bytesValue": form}, n) for n, form in enumerate(forms, 1)))))
    if at.inside:
        need(stored(at, of) == [b64encode(raw).decode()] * 3, f"stored {stored(at, of)}")
    rejected(at, valued(trace(), {"bytesValue": "*"}), trace())


@item("J-08", "MUST", JSON)
def null_is_absent(at: Target, _way: Way) -> None:
    """Null means absent; an empty value, and a pair without a value, are null values."""
    of = trace()
    span = one(of) | {"name": None, "attributes": None, "events": None, "status": None, "parentSpanId": None}
    full(at.send("json", sent(span)))
    full(at.send("json", b'{"resourceSpans":null}'))
    pairs = [{"key": "x", "value": {}}, {"key": "y"}, {"key": "z", "value": None}]
    full(at.send("json", sent(one(of, 2, attributes=pairs))))
    if at.inside:
        found = {row["span_id"]: row["attributes"] for row in at.rows(of)}
        need(found[f"{2:016x}"] == {"x": None, "y": None, "z": None}, f"stored {found}")


@item("J-09", "J", JSON)
def two_values_at_once(at: Target, _way: Way) -> None:
    """A value with two kinds refuses its span alone; of duplicate JSON keys the last counts."""
    rejected(at, valued(trace(), {"stringValue": "a", "intValue": "1"}), trace())
    of = trace()
    body = sent(one(of, name="NAME")).replace(b'"name": "NAME"', b'"name": "first", "name": "last"')
    full(at.send("json", body))
    if at.inside:
        need([row["name"] for row in at.rows(of)] == ["last"], "the last does not count")


@item("J-10", "MUST", JSON)
def the_top_is_an_object(at: Target, _way: Way) -> None:
    """A list, null, a text or a number at the top is 400."""
    for body in (b"[]", b"null", b'"text"', b"7", b"true"):
        refused(at.send("json", body))


@item("J-11", "MUST", JSON)
def broken_text(at: Target, _way: Way) -> None:
    """A byte order mark and invalid UTF-8 are 400, if not taken; a lone surrogate costs at most its span."""
    whole = sent(one(trace()))
    for body in (b"\xef\xbb\xbf" + whole, whole.replace(b"chat", b"ch\xffat")):
        answer = at.send("json", body)
        if answer.code != 200:
            refused(answer)
    of = trace()
    answer = at.send("json", sent(one(of, 1, name="\ud800"), one(of, 2)))
    success(answer)
    if at.inside:
        need(f"{2:016x}" in {row["span_id"] for row in at.rows(of)}, "the neighbour is lost")


@item("J-12", "J", JSON)
def depth(at: Target, _way: Way) -> None:
    """Deep values are stored, or refused with their span or request; the endpoint lives."""
    for levels in (40, 100, 400, 5_000, 200_000):
        deep = b'{"arrayValue":{"values":[' * levels + b'{"intValue":"1"}' + b"]}}" * levels
        of = trace()
        body = sent(one(of, 1), valued(of, "DEEP", 2)).replace(b'"DEEP"', deep)
        answer = at.send("json", body)
        if answer.code != 200:
            refused(answer)
        elif levels == 40:
            full(answer)
            at.holds(of, 2)
    at.alive()


@item("J-13", "J", JSON)
def attributes_as_an_object(at: Target, _way: Way) -> None:
    """Attributes as an object refuse their span alone, with that hint."""
    rejected(at, one(trace(), attributes={"a": 1}), trace(), "attributes")


@item("J-14", "MUST", JSON)
def defaults(at: Target, _way: Way) -> None:
    """Without kind, status and times a span is valid, with the defaults of protobuf."""
    of = trace()
    full(at.send("json", sent(one(of, kind=None))))
    if at.inside:
        row = at.rows(of)[0]
        found = row["kind"], row["status_code"], row["start_ns"], row["end_ns"]
        need(found == (0, 0, 0, 0), f"stored {found}")


@item("J-15", "MUST", JSON)
def odd_ids_cost_their_span(at: Target, _way: Way) -> None:
    """An odd parent id costs no batch, and ids of links are read as ids: what strict JSON readers of protobuf get wrong."""
    of, other = trace(), trace()
    link = {"traceId": other.hex(), "spanId": "22" * 8}
    success(at.send("json", sent(one(of, 1, parentSpanId="abc"), one(of, 2, links=[link]))))
    at.holds(of, 2)
    if at.inside:
        links = [row["links"] for row in at.rows(of) if row["links"]]
        need(links[0][0]["trace_id"] == other.hex(), "the link's id was changed")
