"""Valid bodies, spoilt: in bytes, in protobuf fields whose lengths stay right, in members of JSON, in the gzip around them."""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Literal

from google.protobuf.message import Message
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from collector.decode.wire import BYTES, FIXED32, FIXED64, VARINT, WireError, fields
from tests.captures import FOLDER
from tests.decode.samples import any_value, json_of, pairs, request, span

Form = Literal["protobuf", "json"]

VALUES = {"text": "é\0x", "int": -(2**63), "double": float("-inf"), "bytes": b"\xff\0", "list": [1, [None, {}], "x"]}
DEEPEST = 12
LARGEST = 200_000


@dataclass(frozen=True, slots=True)
class Body:
    """What is sent: which signal, in which form, and whether it says that it is gzip."""

    signal: Literal["traces", "logs"]
    form: Form
    raw: bytes
    gzipped: bool = False


@cache
def seeds() -> tuple[Body, ...]:
    """Valid bodies: one with every field, and what frameworks really sent."""
    found = [Body("traces", "protobuf", rich().SerializeToString()), Body("traces", "json", json_of(rich()))]
    for path in sorted(FOLDER.rglob("*.pb"))[::9]:
        is_log = path.name.endswith(".logs.pb")
        if ".metrics." in path.name or path.stat().st_size > LARGEST // 4:
            continue
        raw = path.read_bytes()
        kind: type[Message] = ExportLogsServiceRequest if is_log else ExportTraceServiceRequest
        signal: Literal["traces", "logs"] = "logs" if is_log else "traces"
        found += [Body(signal, "protobuf", raw), Body(signal, "json", json_of(kind.FromString(raw)))]
    return tuple(found)


def rich() -> ExportTraceServiceRequest:
    """A request with all fields of a span, every kind of value, nested and not."""
    event = Span.Event(time_unix_nano=2, name="e", attributes=pairs(VALUES), dropped_attributes_count=1)
    link = Span.Link(trace_id=b"t" * 16, span_id=b"s" * 8, trace_state="a=b", attributes=pairs(VALUES), flags=257)
    full = span(
        parent_span_id=b"p" * 8,
        trace_state="a=b",
        flags=769,
        kind=3,
        start_time_unix_nano=1,
        end_time_unix_nano=2**63,
        attributes=VALUES | {"map": VALUES, "gen_ai.usage.input_tokens": 7, "gen_ai.operation.name": "chat"},
        events=[event, event],
        links=[link],
        dropped_links_count=3,
    )
    full.status.code, full.status.message = 2, "no"
    full.attributes[0].value.CopyFrom(any_value("a" * 300))
    return request(full, span(span_id=b"2" * 8), resource={"service.name": "shop", "list": [1, 2.5, None]})


def mutated(random: Random) -> Body:
    """One of the valid bodies with one to five things wrong; a few are sent as they are, or are noise from the start."""
    body = random.choice(seeds())
    raw = body.raw if random.random() < 0.97 else random.randbytes(random.randrange(200))
    spoil: Callable[[Random, bytes], bytes] = _in_json if body.form == "json" else _in_fields
    for _ in range(random.choice((0, 1, 1, 1, 2, 3, 5))):
        raw = (spoil if random.random() < 0.7 else _in_bytes)(random, raw)[:LARGEST]
    gzipped = random.random() < 0.2
    if gzipped:
        raw = gzip.compress(raw, 1)
        if random.random() < 0.4:
            raw = _in_bytes(random, raw)
    return Body(body.signal, body.form, raw, gzipped)


def _in_bytes(random: Random, raw: bytes) -> bytes:
    if not raw:
        return random.randbytes(3)
    at = random.randrange(len(raw))
    to = min(len(raw), at + random.choice((1, 1, 2, 8, 60, 4000)))
    match random.randrange(7):
        case 0:
            return raw[:at] + bytes([raw[at] ^ 1 << random.randrange(8)]) + raw[at + 1 :]
        case 1:
            return raw[:at] + random.choice((b"\0", b"\xff", b"\x80" * 11, b"\x7f", b'"', b"{", b"\xe4\xbd")) + raw[to:]
        case 2:
            return raw[:at]
        case 3:
            return raw[:at] + raw[to:]
        case 4:
            return raw[:to] + raw[at:]
        case 5:
            return raw[:at] + random.randbytes(random.randrange(1, 20)) + raw[at:]
        case _:
            other = random.choice(seeds()).raw
            return raw[:at] + other[random.randrange(len(other)) :]


def _in_fields(random: Random, raw: bytes, depth: int = 0) -> bytes:
    """One field, somewhere in the tree, gets another value, number or type, is lost or comes twice."""
    try:
        found = [
            (number, kind, value if kind == VARINT else raw[value:stop])
            for number, kind, value, stop in fields(raw, 0, len(raw))
        ]
    except WireError:
        return _in_bytes(random, raw)
    if not found:
        return random.choice((b"", random.randbytes(4), rich().SerializeToString()))
    at = random.randrange(len(found))
    number, kind, value = found[at]
    if isinstance(value, bytes) and kind == BYTES and depth < DEEPEST and random.random() < 0.85:
        found[at] = number, kind, _in_fields(random, value, depth + 1)
    else:
        found[at : at + 1] = _spoilt_field(random, number, kind, value)
    return b"".join(_field(*field) for field in found)


def _spoilt_field(random: Random, number: int, kind: int, value: int | bytes) -> list[tuple[int, int, int | bytes]]:
    match random.randrange(6):
        case 0:
            return []
        case 1:
            return [(number, kind, value)] * random.choice((2, 3, 400))
        case 2:
            return [(random.choice((1, 2, 3, 7, 8, 15, 16, 1000, 2**29 - 1)), kind, value)]
        case 3:
            return [(number, VARINT, random.choice((0, 1, 2**31, 2**63, 2**64 - 1)))]
        case 4:
            return [(number, BYTES, random.choice((b"", b"\0" * 16, b"\xff" * 8, b"\xe4\xbd", b"a" * 5000)))]
        case _:
            return [(number, *random.choice(((FIXED64, b"\xff" * 8), (FIXED32, b"\xff" * 4), (FIXED64, b"\0" * 8))))]


def _field(number: int, kind: int, value: int | bytes) -> bytes:
    tag = _varint(number << 3 | kind)
    if isinstance(value, int):
        return tag + _varint(value)
    return tag + _varint(len(value)) + value if kind == BYTES else tag + value


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 2**63, 2**64, 1.5, 1e308, "", "NaN", "-Infinity", "1e400", "\ud800", "\0", [], {}, [[]]),
    *({"stringValue": "a", "intValue": "1"}, {"key": "k"}, {"intValue": 2**64}, {"bytesValue": "*"}, "A" * 5000, "zz"),
)


def _in_json(random: Random, raw: bytes) -> bytes:
    """One member of the tree, replaced, renamed, lost, doubled or nested."""
    try:
        tree = json.loads(raw)
    except (ValueError, RecursionError):
        return _in_bytes(random, raw)
    holder: Any = [tree]
    key: Any = 0
    while isinstance(holder[key], dict | list) and holder[key] and random.random() < 0.93:
        holder = holder[key]
        key = random.choice(list(holder)) if isinstance(holder, dict) else random.randrange(len(holder))
    match random.randrange(6):
        case 0 if isinstance(holder, dict):
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[random.choice(("trace_id", "value", "instrumentationLibrarySpans", "x", ""))] = holder.pop(key)
        case 2 if isinstance(holder, list):
            holder *= random.choice((2, 3, 50))
        case 3:
            for _ in range(random.choice((1, 70, 220, 900))):
                holder[key] = {"arrayValue": {"values": [holder[key]]}}
        case _:
            holder[key] = random.choice(ODD)
    try:
        return json.dumps(tree).encode()
    except RecursionError:
        return raw
