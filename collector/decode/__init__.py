"""OTLP bodies → columns. Pure: bytes in, lists out.

Data flows: `from_protobuf` or `from_json` read messages with their own value reader (`protobuf_values`,
`json_values`); `spans` and `logs` apply the rules and make rows, the same for both; `rows` turns them into columns.
"""

from collector.decode.decoded import REASONS, WARNINGS, Decoded, DecodeError
from collector.decode.from_json import logs_json, traces_json
from collector.decode.from_protobuf import logs_protobuf, traces_protobuf

__all__ = [
    "REASONS",
    "WARNINGS",
    "DecodeError",
    "Decoded",
    "logs_json",
    "logs_protobuf",
    "traces_json",
    "traces_protobuf",
]
