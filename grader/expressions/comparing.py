"""Three-valued comparisons of JSON values, among which some may be missing and some may not have been captured.

MISSING is a field that is not there: the data is known, and has none. UNKNOWN is evidence that nobody captured. A
comparison with either answers None; as a condition of its own MISSING is false, and UNKNOWN stays open.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from grader.outcome import Truth, either, every


class Absent(Enum):
    """What stands in the place of a value that is not there."""

    UNKNOWN = "unknown"
    MISSING = "missing"

    def __repr__(self) -> str:
        return self.name


UNKNOWN: Final = Absent.UNKNOWN
"""Put it where a value would be that was not captured, at any depth."""
MISSING: Final = Absent.MISSING


@dataclass(frozen=True, slots=True)
class Members:
    """A set literal: no value of JSON equals one, it is there for `in`."""

    items: tuple[Any, ...]


def holds_unknown(value: Any) -> bool:
    """Whether UNKNOWN stands anywhere in it."""
    if isinstance(value, Absent):
        return True
    if isinstance(value, dict):
        return any(map(holds_unknown, value.values()))
    return isinstance(value, list) and any(map(holds_unknown, value))


def negate(truth: Truth) -> Truth:
    """Not; what is open stays open."""
    return None if truth is None else not truth


def truthy(value: Any) -> Truth:
    """S3-3: set, and neither empty, zero, false nor null."""
    if type(value) is Absent:
        return None if value is UNKNOWN else False
    return bool(value.items) if type(value) is Members else bool(value)


def as_value(truth: Truth) -> Any:
    """A truth where a value is asked for."""
    return UNKNOWN if truth is None else truth


def equal(left: Any, right: Any) -> Truth:
    """Numbers by value, booleans and null only with their like, lists in order, objects by key."""
    if type(left) is Absent or type(right) is Absent:
        return None
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if type(left) is dict:
        if type(right) is not dict or left.keys() != right.keys():
            return False
        return every(equal(v, right[k]) for k, v in left.items())
    if isinstance(left, list | tuple):
        if not isinstance(right, list | tuple) or len(left) != len(right):
            return False
        return every(map(equal, left, right))
    if type(left) is Members:
        if type(right) is not Members:
            return False
        return every((every(contained(v, right) for v in left.items), every(contained(v, left) for v in right.items)))
    return bool(left == right)


def contained(item: Any, container: Any) -> Truth:
    """`in`: part of a text, member of a list or set, key of an object; never in null.

    A text holds nothing but text, and numbers and booleans hold nothing: such a question has no answer (None), so that
    neither it nor its opposite is met.
    """
    if type(item) is Absent or type(container) is Absent:
        return None
    if container is None:
        return False
    if isinstance(container, str):
        return item in container if isinstance(item, str) else None
    if type(container) is dict:
        return isinstance(item, str) and item in container
    if isinstance(container, list | tuple):
        return either(equal(item, v) for v in container)
    if type(container) is Members:
        return either(equal(item, v) for v in container.items)
    return None


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], Truth]:
    def order(left: Any, right: Any) -> Truth:
        """Numbers with numbers, texts with texts. Others have no order: None, so that `not` does not make it pass."""
        if isinstance(left, str) and isinstance(right, str):
            return compare(left, right)
        if isinstance(left, bool) or isinstance(right, bool):
            return None
        if isinstance(left, int | float) and isinstance(right, int | float):
            return compare(left, right)
        return None

    return order


less = _ordered(operator.lt)
less_or_equal = _ordered(operator.le)
greater = _ordered(operator.gt)
greater_or_equal = _ordered(operator.ge)


def not_equal(left: Any, right: Any) -> Truth:
    """The opposite of `equal`."""
    return negate(equal(left, right))


def not_contained(item: Any, container: Any) -> Truth:
    """The opposite of `contained`."""
    return negate(contained(item, container))
