"""Reads the tables of expressions in tests/data/expressions, and generates values in which evidence may be missing."""

import json
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
