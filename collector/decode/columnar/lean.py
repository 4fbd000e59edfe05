"""OTLP's trace messages in a form that ptars reads into Arrow columns: without recursion, and patient.

The descriptors of the opentelemetry-proto package are copied and changed, so that the wire format stays theirs:

- strings are bytes, since they may not be UTF-8; enums are int32, so that unknown numbers stay.
- what is recursive or rare is kept as its bytes: lists and objects in values, events, links, resources and scopes. The latter
  two are read as repeated fields: pieces of one message, joined, are that message (protobuf.dev, Encoding).
- spans are bytes too, and read in a second step: then a span that needs care is at hand as it was sent.
- ResourceSpans.1000, the field of OTLP 0.14, is known (C-14).

ptars (Rust, Apache-2.0, wheels for Linux, macOS and Windows) needs 2 to 3 µs a span of 1.4 KB where a Python loop over
upb's messages needs 12 to 14 (one core), and other threads run meanwhile.
"""

from typing import Any

import ptars
from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import FileDescriptor
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

# The generated modules fill their names in at run time, where a type checker does not see them.
_FileProto: Any = vars(descriptor_pb2)["FileDescriptorProto"]
_Field: Any = vars(descriptor_pb2)["FieldDescriptorProto"]

_PROTO = ".opentelemetry.proto"
_PIECES = {f"{_PROTO}.resource.v1.Resource", f"{_PROTO}.common.v1.InstrumentationScope"}
_BYTES = {
    *(f"{_PROTO}.common.v1.{name}" for name in ("ArrayValue", "KeyValueList")),
    *(f"{_PROTO}.trace.v1.{name}" for name in ("Span", "Span.Event", "Span.Link")),
    *_PIECES,
}

OLD_SPANS = "instrumentation_library_spans"


def _lean(message: Any) -> None:
    for field in message.field:
        if field.type_name in _PIECES:
            field.label = _Field.LABEL_REPEATED
        if field.type == _Field.TYPE_ENUM:
            field.type = _Field.TYPE_INT32
            field.ClearField("type_name")
        elif field.type == _Field.TYPE_STRING or field.type_name in _BYTES:
            field.type = _Field.TYPE_BYTES
            field.ClearField("type_name")
    for nested in message.nested_type:
        _lean(nested)
    if message.name == "ResourceSpans":
        message.ClearField("reserved_range")
        message.field.add(name=OLD_SPANS, number=1000, type=_Field.TYPE_BYTES, label=_Field.LABEL_REPEATED)


def _add(pool: Any, file: FileDescriptor, added: set[str]) -> None:
    if file.name in added:
        return
    added.add(file.name)
    for needed in file.dependencies:
        _add(pool, needed, added)
    copy = _FileProto()
    file.CopyToProto(copy)
    for message in copy.message_type:
        _lean(message)
    pool.AddSerializedFile(copy.SerializeToString())


def _handlers() -> tuple[Any, Any]:
    pool: Any = descriptor_pool.DescriptorPool()  # ty: ignore[possibly-missing-implicit-call]
    _add(pool, trace_service_pb2.DESCRIPTOR, set())
    handlers = ptars.HandlerPool([pool.FindFileByName(trace_service_pb2.DESCRIPTOR.name)])
    names = ("collector.trace.v1.ExportTraceServiceRequest", "trace.v1.Span")
    request, span = (
        handlers.get_for_message(pool.FindMessageTypeByName(f"opentelemetry.proto.{name}")) for name in names
    )
    return request, span


_REQUESTS, _SPANS = _handlers()


def requests(bodies: list[bytes]) -> Any:
    """ResourceSpans by body: a list array of structs. Raises ValueError where one is not protobuf."""
    return _REQUESTS.list_to_record_batch(bodies).column(0)


def spans(raw: Any) -> Any:
    """A record batch of spans from a binary array of them. Raises ValueError likewise."""
    return _SPANS.array_to_record_batch(raw)
