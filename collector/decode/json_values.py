"""KeyValue and AnyValue in OTLP/JSON → JSON values (S-09). The only such reader for JSON."""

from collections.abc import Callable
from math import isfinite
from typing import Any

from collector.decode.beside import Notes, merge, pointer
from collector.decode.decoded import Rejected
from collector.decode.json_fields import camel, decode_base64, integer, items, string
from collector.decode.json_text import DEEPEST, encode_bytes, flatten, not_finite

_DOUBLES = {"NaN", "Infinity", "-Infinity"}


class JsonAttributes:
    """Reads the attributes of one request."""

    def __init__(self, notes: Notes, warnings: dict[str, int]) -> None:
        self._notes = notes
        self._warnings = warnings
        self._kinds: dict[str, Callable[[Any, str, int], Any]] = {
            "stringValue": lambda value, _at, _depth: string(value),
            "boolValue": _boolean,
            "intValue": lambda value, _at, _depth: integer(value, -(2**63), 2**63 - 1),
            "doubleValue": self._double,
            "arrayValue": self._list,
            "kvlistValue": self._object,
            "bytesValue": lambda value, at, _depth: encode_bytes(decode_base64(value), at, notes),
        }

    def read(self, pairs: Any, at: str, depth: int = 0) -> dict[str, Any]:
        """A list of KeyValue as an object; what JSON cannot hold goes to the notes. Raises Rejected."""
        if pairs is None:
            return {}
        if type(pairs) is not list:
            raise Rejected("attributes_not_a_list")
        self._notes.spend(len(pairs))
        found = []
        for pair in pairs:
            if type(pair) is not dict:
                raise Rejected("wrong_type")
            key, value = pair.get("key"), pair.get("value")
            if type(key) is not str:
                key = string(key)
            if type(value) is dict and len(value) == 1 and type(plain := value.get("stringValue")) is str:
                found.append((key, plain))
            else:
                found.append((key, self.value(value, pointer(at, key), depth)))
        result = dict(found)
        return result if len(result) == len(found) else merge(found, at, self._notes)

    def value(self, value: Any, at: str, depth: int = 0) -> Any:
        """One AnyValue. An empty one, and one with unknown kinds alone, is null (J-08). Raises Rejected (J-09)."""
        found = [
            (read, member)
            for name, member in camel(value, self._warnings).items()
            if member is not None and (read := self._kinds.get(name)) is not None
        ]
        if len(found) > 1:
            raise Rejected("value_conflict")
        if not found:
            return None
        read, member = found[0]
        return read(member, at, depth + 1)

    def _double(self, value: Any, at: str, _depth: int) -> float | str:
        if type(value) is str and value not in _DOUBLES and not value.lower().lstrip("+-").startswith(("n", "i")):
            try:
                value = float(value)
            except ValueError:
                raise Rejected("wrong_type") from None
        if type(value) in {int, float} or (type(value) is str and value in _DOUBLES):
            number = float(value)
            return number if isfinite(number) else not_finite(number, at, self._notes)
        raise Rejected("wrong_type")

    def _list(self, value: Any, at: str, depth: int) -> Any:
        if depth > DEEPEST:
            raise Rejected("nested_too_deep")
        members = items(camel(value, self._warnings).get("values"))
        read = [self.value(member, pointer(at, place), depth) for place, member in enumerate(members)]
        return flatten(read, at, self._notes, depth)

    def _object(self, value: Any, at: str, depth: int) -> Any:
        if depth > DEEPEST:
            raise Rejected("nested_too_deep")
        return flatten(self.read(camel(value, self._warnings).get("values"), at, depth), at, self._notes, depth)


def _boolean(value: Any, _at: str, _depth: int) -> bool:
    if type(value) is bool:
        return value
    raise Rejected("wrong_type")
