"""A person's verdict on one output of one sample, in the evalstone form (S2-51)."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson

from grader.asking import LabelWanted
from grader.levels import Levels
from grader.syntax.foreign import kind_of

_HASH = re.compile(r"[0-9a-f]{16}")
_TEXTS = ("notes", "check", "labeler", "run_id", "suite", "case")


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """`value` is 0 to 1, `created_at` nanoseconds since the epoch, `raw` what the person typed. `check` None: of none by name.

    `run_id`, `suite` and `case` are None where they are not known, such as in the files of other tools.
    """

    sample_id: str
    output_hash: str
    value: float
    passed: bool
    notes: str | None = None
    check: str | None = None
    labeler: str | None = None
    created_at: int | None = None
    raw: str | None = None
    run_id: str | None = None
    suite: str | None = None
    case: str | None = None

    def fits(self, wanted: LabelWanted) -> bool:
        """Of this exact output, and of this sample or of the run itself; of the check that is asked for (S2-51, S2-53)."""
        of_output = self.output_hash == wanted.output_hash and self.about(wanted)
        return of_output and (wanted.check is None or wanted.check == (self.check or ""))

    def about(self, wanted: LabelWanted) -> bool:
        """Of this sample or of the run itself, whatever the output was."""
        return self.sample_id == wanted.sample or (bool(wanted.run) and self.run_id == wanted.run)


def given(typed: str, scale: int | None) -> tuple[float, bool, str] | None:
    """Value, pass and raw form of what a person typed: p or f, or a level of the scale; None where it is none.

    A level passes by the rule of judges: the second-highest one, of two the top one (S2-24, S2-25).
    """
    word = typed.strip().lower()
    if scale is None:
        return {"p": (1.0, True, "p"), "pass": (1.0, True, "p"), "f": (0.0, False, "f"), "fail": (0.0, False, "f")}.get(
            word
        )
    if not (word.isascii() and word.isdigit()) or not 1 <= int(word) <= scale:
        return None
    levels, level = Levels(scale=scale), int(word)
    return levels.value(level), levels.passes(level), f"{level}/{scale}"


def to_line(label: Label) -> bytes:
    """One JSON object; where a label came from follows the keys of the form."""
    created = None if label.created_at is None else _written(label.created_at)
    plain = {
        "sample_id": label.sample_id, "output_hash": label.output_hash, "value": label.value, "passed": label.passed,
        "notes": label.notes, "check": label.check, "labeler": label.labeler, "created_at": created, "raw": label.raw,
        "run_id": label.run_id, "suite": label.suite, "case": label.case,
    }  # fmt: skip
    return orjson.dumps(plain)


def from_line(line: str) -> Label:
    """The label of a line. Keys that nobody knows are left alone; a value that is left out is 1 or 0 by `passed`.

    Raises:
        NoLabelError: it is none, with all that is wrong, and whose label it would be where that can be read.
    """
    try:
        raw = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise NoLabelError(f"not JSON: {error.msg} (character {error.colno})") from None
    if not isinstance(raw, dict):
        raise NoLabelError(f"must be one JSON object a line, is {kind_of(raw)}")
    wrong = [f"{key}: {message}" for key, message in _mistakes(raw)]
    if wrong:
        raise NoLabelError("; ".join(wrong), _whose(raw))
    value, typed = raw.get("value"), raw.get("raw")
    texts = {key: raw.get(key) for key in _TEXTS}
    return Label(
        sample_id=raw["sample_id"], output_hash=raw["output_hash"], passed=raw["passed"],
        value=float(raw["passed"] if value is None else value), created_at=_moment(raw.get("created_at")),
        raw=typed if typed is None or isinstance(typed, str) else orjson.dumps(typed).decode(), **texts,
    )  # fmt: skip


class NoLabelError(ValueError):
    """A line that is no label. `whose`: a label of what it would be; None: that cannot be read either."""

    def __init__(self, message: str, whose: Label | None = None) -> None:
        super().__init__(message)
        self.whose = whose


def _whose(raw: dict[str, Any]) -> Label | None:
    sample, output, check, run = (raw.get(key) for key in ("sample_id", "output_hash", "check", "run_id"))
    if not (isinstance(sample, str) and isinstance(output, str)):
        return None
    return Label(
        sample_id=sample, output_hash=output, value=0.0, passed=False, check=check if isinstance(check, str) else None,
        run_id=run if isinstance(run, str) else None,
    )  # fmt: skip


def _mistakes(raw: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Key by key what a label cannot hold."""
    sample, output, passed, value = (raw.get(key) for key in ("sample_id", "output_hash", "passed", "value"))
    if not isinstance(sample, str) or not sample:
        yield "sample_id", _wanted("a text", raw, "sample_id")
    if not isinstance(output, str) or not _HASH.fullmatch(output):
        yield "output_hash", _wanted("16 hex digits in lower case", raw, "output_hash")
    if not isinstance(passed, bool):
        yield "passed", _wanted("true or false", raw, "passed")
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if value is not None and not (number and 0 <= value <= 1):
        yield "value", _wanted("a number from 0 to 1", raw, "value")
    for key in _TEXTS:
        if raw.get(key) is not None and not isinstance(raw[key], str):
            yield key, _wanted("a text", raw, key)
    try:
        _moment(raw.get("created_at"))
    except ValueError:
        yield "created_at", "must be an ISO time, or seconds since the epoch"


def _wanted(what: str, raw: dict[str, Any], key: str) -> str:
    return f"must be {what}, is {kind_of(raw[key])}" if key in raw else "is missing"


def _moment(value: Any) -> int | None:
    """Nanoseconds since the epoch. A time without a zone is UTC.

    Raises:
        ValueError: it is no time, or one that nanoseconds in 64 bits do not hold.
    """
    if value is None:
        return None
    if isinstance(value, str):
        moment = datetime.fromisoformat(value)
        seconds = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        seconds = value
    else:
        raise ValueError(value)
    if not abs(seconds) < _FURTHEST:
        raise ValueError(value)
    return round(seconds * 1_000_000) * 1_000


_FURTHEST = 9_000_000_000
"""Seconds from the epoch (the year 2255) that fit as nanoseconds into 64 bits."""


def _written(nanoseconds: int) -> str:
    return datetime.fromtimestamp(nanoseconds / 1_000_000_000, UTC).isoformat()
