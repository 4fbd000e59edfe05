"""Values as CEL can take them: JSON only, in the ranges that its numbers and texts have."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.expressions.comparing import Absent

_INT64 = 1 << 63
_MAX_DEPTH = 200
_BYTES_PER_ITEM = 16


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The values that are there, and how large the largest text (bytes) and list (items) among them are.

    A variable with UNKNOWN anywhere in it, or nested deeper than 200, is left out: nothing may be read from it.
    """

    values: dict[str, Any]
    longest_text: int
    longest_list: int

    @property
    def largest(self) -> int:
        """Bytes of the largest single text or list, roughly."""
        return max(self.longest_text, self.longest_list * _BYTES_PER_ITEM)


def clean(values: Mapping[str, Any]) -> Cleaned:
    """Tuples become lists, lone surrogates are replaced, whole numbers beyond 64 bits become doubles."""
    cleaner = _Cleaner()
    kept = {}
    for name, value in values.items():
        try:
            kept[name] = cleaner.clean(value, 0)
        except _LeftOut:
            continue
    return Cleaned(kept, cleaner.longest_text, cleaner.longest_list)


class _LeftOut(Exception):  # noqa: N818 -- no error: it carries a decision up
    pass


class _Cleaner:
    def __init__(self) -> None:
        self.longest_text = 0
        self.longest_list = 0

    def clean(self, value: Any, depth: int) -> Any:
        if value is None or isinstance(value, bool | float):
            return value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, int):
            return value if -_INT64 <= value < _INT64 else _double(value)
        if isinstance(value, Absent) or depth == _MAX_DEPTH:
            raise _LeftOut
        if isinstance(value, Mapping):
            return {self._text(str(k)): self.clean(v, depth + 1) for k, v in value.items()}
        if isinstance(value, list | tuple):
            self.longest_list = max(self.longest_list, len(value))
            return [self.clean(v, depth + 1) for v in value]
        return self._text(str(value))

    def _text(self, text: str) -> str:
        self.longest_text = max(self.longest_text, len(text))
        if text.isascii():
            return text
        try:
            text.encode()
        except UnicodeEncodeError:
            return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return text


def _double(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
