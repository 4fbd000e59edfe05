"""Reading fields of OTLP/JSON objects by the rules of protobuf's JSON mapping (J-01 to J-14)."""

import math
from base64 import b64decode, urlsafe_b64decode
from binascii import Error as Base64Error
from typing import Any

import orjson

from collector.decode.decoded import Rejected, count

_SNAKE = {
    snake: snake.split("_")[0] + "".join(part.title() for part in snake.split("_")[1:])
    for snake in (
        *("resource_spans", "resource_logs", "scope_spans", "scope_logs", "log_records", "schema_url", "entity_refs"),
        *("id_keys", "description_keys", "dropped_attributes_count", "dropped_events_count", "dropped_links_count"),
        *("trace_id", "span_id", "parent_span_id", "trace_state", "start_time_unix_nano", "end_time_unix_nano"),
        *("time_unix_nano", "observed_time_unix_nano", "severity_number", "severity_text", "event_name"),
        *("string_value", "bool_value", "int_value", "double_value", "array_value", "kvlist_value", "bytes_value"),
    )
}

KINDS = {
    f"SPAN_KIND_{name}": number
    for number, name in enumerate(("UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"))
}
STATUSES = {"STATUS_CODE_UNSET": 0, "STATUS_CODE_OK": 1, "STATUS_CODE_ERROR": 2}
SEVERITIES = {"SEVERITY_NUMBER_UNSPECIFIED": 0} | {
    f"SEVERITY_NUMBER_{name}{level or ''}": 4 * place + max(level, 1)
    for place, name in enumerate(("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"))
    for level in (0, 2, 3, 4)
}


def camel(value: Any, warnings: dict[str, int]) -> dict[str, Any]:
    """The object with lowerCamelCase names (J-04); null is an empty object (J-08). Raises Rejected."""
    if value is None:
        return {}
    if type(value) is not dict:
        raise Rejected("wrong_type")
    if _SNAKE.keys().isdisjoint(value):
        return value
    count(warnings, "snake_case")
    return {_SNAKE[key]: member for key, member in value.items() if key in _SNAKE} | value


def items(value: Any) -> list[Any]:
    """A repeated field; null is an empty one (J-08). Raises Rejected."""
    if value is None:
        return []
    if type(value) is not list:
        raise Rejected("wrong_type")
    return value


def string(value: Any) -> str:
    """A string field; null is the empty string. Raises Rejected."""
    if value is None:
        return ""
    if type(value) is not str:
        raise Rejected("wrong_type")
    return value


def integer(value: Any, low: int, high: int) -> int:
    """A number or its text, within the field's range (J-05). Raises Rejected.

    orjson turns integers beyond 64 bits into floats; those lie outside every range, or are refused by `_whole`.
    """
    if type(value) is not int:
        value = _integer(value)
    if low <= value <= high:
        return value
    raise Rejected("number_out_of_range")


def _integer(value: Any) -> int:
    if value is None:
        return 0
    if type(value) is str and len(value) < 64 and "_" not in value:  # longer ones fit no field
        try:
            return int(value)
        except ValueError:
            value = _float(value)
    if type(value) is float:
        return _whole(value)
    raise Rejected("wrong_type")


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Rejected("wrong_type") from None


def _whole(value: float) -> int:
    """-2^63 as a float may have been any integer below: what cannot be told from another number is refused."""
    if math.isfinite(value) and value == math.floor(value) and value > -(2.0**63):
        return int(value)
    raise Rejected("number_out_of_range")


def unsigned32(value: Any) -> int:
    """A uint32 or fixed32."""
    return integer(value, 0, 0xFFFF_FFFF)


def unsigned64(value: Any) -> int:
    """A fixed64: nanoseconds."""
    return integer(value, 0, 0xFFFF_FFFF_FFFF_FFFF)


def enum(value: Any, names: dict[str, int], warnings: dict[str, int]) -> int:
    """An enum's number, unknown ones too; known names are accepted with a warning (J-02)."""
    if type(value) is str and value in names:
        count(warnings, "enum_name")
        return names[value]
    return integer(value, -0x8000_0000, 0x7FFF_FFFF)


def identifier(value: Any, length: int) -> bytes:
    """An id from hex digits of either case (J-01); `length` in bytes. Absent: empty. Raises Rejected("…_not_hex")."""
    prefix = "trace_id" if length == 16 else "span_id"
    if value is None or value == "":
        return b""
    if type(value) is str:
        try:
            found = bytes.fromhex(value)
        except ValueError:
            found = b""
        if len(found) * 2 == len(value):  # fromhex passes over blanks
            return found
        if len(value) == (length + 2) // 3 * 4:
            raise Rejected("id_is_base64")
    raise Rejected(f"{prefix}_not_hex")


def noted(value: Any) -> Any:
    """What stands in an id's place, fit for a note. Raises Rejected where it is nested too deep to be written (J-12)."""
    try:
        orjson.dumps([[[value]]])  # as deep as it comes to lie in the column
    except TypeError:
        raise Rejected("nested_too_deep") from None
    return value


def decode_base64(value: Any) -> bytes:
    """Bytes from base64, standard or url-safe, padded or not (J-07). Raises Rejected."""
    try:
        plain = string(value).rstrip("=")
        padded = (plain + "=" * (-len(plain) % 4)).encode("ascii")
        return urlsafe_b64decode(padded) if b"-" in padded or b"_" in padded else b64decode(padded, validate=True)
    except (Base64Error, UnicodeEncodeError):
        raise Rejected("bad_base64") from None
