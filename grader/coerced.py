"""A value after a change of type: models write "50" where a number is meant, and 50 where a text is."""

from dataclasses import dataclass
from typing import Any

import orjson

from grader.outcome import Truth, either
from grader.patterns import Past, Pattern, is_number


@dataclass(frozen=True, slots=True)
class Coerced:
    """A value that matches as it stands, as what a text says where it is JSON, or as the text of a number or boolean.

    "50", " 50 " and "50.0" are 50, "true" is true, "[1]" is [1]; "050", "5,0" and "yes" are no JSON and stay texts.
    """

    inner: Pattern

    def match(self, value: Any, past: Past) -> Truth:
        return either(self.inner.match(form, past) for form in forms_of(value))

    def tell(self) -> str:
        return f"{self.inner.tell()} (whatever its type)"


def forms_of(value: Any) -> list[Any]:
    """The value itself first, then what it could stand for."""
    if isinstance(value, str):
        try:
            return [value, orjson.loads(value.strip())]
        except orjson.JSONDecodeError:
            return [value]
    if isinstance(value, bool):
        return [value, str(value).lower()]
    if is_number(value):
        return [value, str(value), *([str(int(value))] if isinstance(value, float) and value.is_integer() else [])]
    return [value]
