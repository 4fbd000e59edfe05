"""Message classes that read OTLP more patiently than the generated ones.

The descriptors of the opentelemetry-proto package are copied into a pool of their own and softened:

- proto2 syntax: upb then hands out a string field as `str`, or as `bytes` where it is not UTF-8. The generated classes
  refuse the whole request instead (the OpenTelemetry Collector, in Go, accepts it).
- enums are plain int32, so that unknown numbers stay.
- attributes, bodies and statuses are raw bytes, read by `protobuf_values`.
- ResourceSpans.1000, the field of OTLP 0.14, is known, so that its spans are not ignored in silence (C-14).
"""

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.message import Message
from opentelemetry.proto.collector.logs.v1 import logs_service_pb2
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

# The generated modules fill their names in at run time, where a type checker does not see them.
_FileProto: Any = vars(descriptor_pb2)["FileDescriptorProto"]
_Field: Any = vars(descriptor_pb2)["FieldDescriptorProto"]
_RAW = {".opentelemetry.proto.common.v1.KeyValue", ".opentelemetry.proto.common.v1.AnyValue"}


def _with_dependencies(root: FileDescriptor, found: dict[str, FileDescriptor]) -> None:
    for dependency in root.dependencies:
        _with_dependencies(dependency, found)
    found.setdefault(root.name, root)


def _soften(message: Any) -> None:
    for field in message.field:
        field.ClearField("json_name")
        if field.type == _Field.TYPE_ENUM:
            field.type = _Field.TYPE_INT32
            field.ClearField("type_name")
        elif field.type_name in _RAW:
            field.type = _Field.TYPE_BYTES
            field.ClearField("type_name")
    for nested in message.nested_type:
        _soften(nested)
    if message.name == "ResourceSpans":
        message.ClearField("reserved_range")
        message.field.add(
            name="instrumentation_library_spans", number=1000, type=_Field.TYPE_BYTES, label=_Field.LABEL_REPEATED
        )


def _pool() -> descriptor_pool.DescriptorPool:
    found: dict[str, FileDescriptor] = {}
    for root in (trace_service_pb2.DESCRIPTOR, logs_service_pb2.DESCRIPTOR):
        _with_dependencies(root, found)
    pool = descriptor_pool.DescriptorPool()  # ty: ignore[possibly-missing-implicit-call]
    for file in found.values():
        copy = _FileProto()
        file.CopyToProto(copy)
        copy.syntax = "proto2"
        for message in copy.message_type:
            _soften(message)
        pool.AddSerializedFile(copy.SerializeToString())
    return pool


def _class(pool: descriptor_pool.DescriptorPool, name: str) -> type[Message]:
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"opentelemetry.proto.{name}"))


_POOL = _pool()
TracesRequest = _class(_POOL, "collector.trace.v1.ExportTraceServiceRequest")
LogsRequest = _class(_POOL, "collector.logs.v1.ExportLogsServiceRequest")
ResourceMessage = _class(_POOL, "resource.v1.Resource")
ScopeMessage = _class(_POOL, "common.v1.InstrumentationScope")
SpanMessage = _class(_POOL, "trace.v1.Span")
EventMessage = _class(_POOL, "trace.v1.Span.Event")
LinkMessage = _class(_POOL, "trace.v1.Span.Link")
