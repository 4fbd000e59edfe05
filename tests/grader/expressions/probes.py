"""Reads the tables of expressions in tests/data/expressions, and generates values in which evidence may be missing."""

import json
import resource
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from grader.expressions.comparing import UNKNOWN

DATA = Path(__file__).parents[2] / "data" / "expressions"
ROOTS = ("status", "output", "error", "context")
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
SMALL = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([0.0, 1.0, 1.5, "", "a", "b", "ab"])


def json_of(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """JSON values over these leaves, with the field names that the generated expressions ask for."""
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3)
        ),
        max_leaves=8,
    )


def rows(name: str) -> Any:
    """The rows of a table as parameters, each with its name for an id."""
    table = json.loads((DATA / f"{name}.json").read_text())
    names = [r["name"] for r in table]
    assert len(set(names)) == len(names), "two rows have one name"
    return [pytest.param(r, id=r["name"]) for r in table]


def with_absent(value: Any) -> Any:
    """The value with UNKNOWN in the places that the table marks."""
    if value == {"$absent": "UNKNOWN"}:
        return UNKNOWN
    if isinstance(value, dict):
        return {k: with_absent(v) for k, v in value.items()}
    return [with_absent(v) for v in value] if isinstance(value, list) else value


def spelled_out(value: Any) -> Any:
    """A value with what no JSON file could hold, or hold at a bearable length, in the places that the table marks."""
    if not isinstance(value, dict):
        return value
    made = {
        "$text": repeated,
        "$list": lambda length: [1] * length,
        "$nested": _nested,
        "$tuple": tuple,
        "$null_key": lambda held: {None: held},
    }
    for mark, make in made.items():
        if mark in value:
            return make(value[mark])
    return {k: spelled_out(v) for k, v in value.items()}


def repeated(parts: Any) -> str:
    """A text, or one put together from parts: a text, or a text and how many times it stands there."""
    return parts if isinstance(parts, str) else "".join(p if isinstance(p, str) else p[0] * p[1] for p in parts)


def _nested(depth: int) -> Any:
    found: Any = 1
    for _ in range(depth):
        found = [found]
    return found


@contextmanager
def bounded(seconds: float = 10, megabytes: int = 300) -> Generator[None]:
    """What is done inside takes no more of the processor, and lets the process grow by no more."""
    before, start = _peak(), time.process_time()
    yield
    assert time.process_time() - start < seconds
    assert _peak() - before < megabytes * 1_000_000


def _peak() -> int:
    """The most memory that this process had, in bytes: kilobytes on Linux, bytes on macOS."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
