"""What a function says of a run: a Score, true or false, or a number. Anything else says nothing (S2-22)."""

import math
from dataclasses import asdict, dataclass
from numbers import Real
from typing import Any

PASSING = 1.0
"""A number passes from here (S2-22)."""


class NotAScoreError(Exception):
    """What a function returned is no score; the message says why, without what it returned."""


@dataclass(slots=True)
class Score:
    """A verdict with its reason, in the fields of evalstone's (S2-1).

    `value`: 0 to 1, or None (then 1 or 0 by `passed`). `passed` None: by the value, which passes from 1; with neither the
    check could not decide, which is never a pass. `cost` is in dollars, `latency` in seconds. `error`: why it could not
    score.
    """

    value: float | None = None
    passed: bool | None = None
    reason: str = ""
    cost: float | None = None
    latency: float | None = None
    error: str | None = None

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def as_score(returned: Any) -> Score:
    """The score that a returned value stands for, with `passed` and `value` filled in.

    A boolean passes or does not; a number from 0 to 1 is the value, and passes at 1.

    Raises:
        NotAScoreError: it is none.
    """
    if isinstance(returned, bool):
        return Score(float(returned), returned)
    if isinstance(returned, Real):
        value = _number(returned, "a number")
        return Score(value, value >= PASSING)
    if isinstance(returned, Score):
        return _sound(returned)
    raise NotAScoreError(f"returned {_kind(returned)}; a check returns a Score, true or false, or a number from 0 to 1")


def _sound(score: Score) -> Score:
    """A score whose fields hold what they should."""
    if score.passed is not None and not isinstance(score.passed, bool):
        raise NotAScoreError(f"returned a Score whose `passed` is {_kind(score.passed)}, not true or false")
    for name in ("reason", "error"):
        if not isinstance(getattr(score, name) or "", str):
            raise NotAScoreError(f"returned a Score whose `{name}` is {_kind(getattr(score, name))}, not a text")
    value = None if score.value is None else _number(score.value, "a Score whose `value`")
    passed = score.passed
    if passed is None and value is not None:
        passed = value >= PASSING
    if value is None and passed is not None:
        value = float(passed)
    cost, latency = (_measured(name, getattr(score, name)) for name in ("cost", "latency"))
    return Score(value, passed, score.reason or "", cost, latency, score.error)


def _number(value: Any, what: str) -> float:
    """0 to 1: beyond that a mean over values would say more than every check passed (S2-1)."""
    number = math.nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    if not 0 <= number <= 1:
        is_ = "is" if what != "a number" else "that is"
        raise NotAScoreError(f"returned {what} {is_} not from 0 to 1")
    return number


def _measured(name: str, value: Any) -> float | None:
    if value is None:
        return None
    number = math.nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    if not 0 <= number < math.inf:
        raise NotAScoreError(f"returned a Score whose `{name}` is no number from 0 up")
    return number


def _kind(value: Any) -> str:
    """Its type: never the value."""
    return "nothing (None)" if value is None else f"a {type(value).__name__}"
