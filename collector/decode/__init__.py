"""OTLP bodies → columns. Pure: bytes in, lists and tables out.

Data flows: `from_protobuf` or `from_json` read messages with their own value reader (`protobuf_values`,
`json_values`); `spans` and `logs` apply the rules and make rows, the same for both; `rows` turns them into columns.
`together` takes the bodies of many requests, and reads spans by column (`columnar`) where that is quicker.
"""

from collector.decode.batch import Batch, Share
from collector.decode.decoded import REASONS, WARNINGS, Decoded, DecodeError
from collector.decode.from_json import logs_json, traces_json
from collector.decode.from_protobuf import logs_protobuf, traces_protobuf
from collector.decode.together import (
    logs_json_together,
    logs_protobuf_together,
    traces_json_together,
    traces_protobuf_together,
)

__all__ = [
    "REASONS",
    "WARNINGS",
    "Batch",
    "DecodeError",
    "Decoded",
    "Share",
    "logs_json",
    "logs_json_together",
    "logs_protobuf",
    "logs_protobuf_together",
    "traces_json",
    "traces_json_together",
    "traces_protobuf",
    "traces_protobuf_together",
]
