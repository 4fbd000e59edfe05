"""Attributes of many spans → JSON objects."""

from collections.abc import Mapping
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.decode.columnar import groups, lean
from collector.decode.columnar.attributes import Attributes
from tests.decode.samples import TEXTS, request, span

_HELD = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
)


def read(*spans: Mapping[str, Any]) -> Attributes:
    """The attributes of spans that have these."""
    body = request(*(span(attributes=each) for each in spans)).SerializeToString()
    return Attributes(lean.spans(groups.read([body]).spans).column("attributes"), {})


@given(st.lists(st.dictionaries(TEXTS, _HELD, max_size=5), min_size=1, max_size=4))
def test_objects_are_those_of_orjson(spans: list[dict[str, Any]]):
    """Scalars and what is nested, in the order of their keys, one object a span."""
    found = read(*spans)
    assert not found.odd.any()
    assert found.objects().to_pylist() == [orjson.dumps(each, option=orjson.OPT_SORT_KEYS).decode() for each in spans]


@pytest.mark.parametrize("value", [b"raw", float("inf"), [float("nan")], {"a": [b"x"]}], ids=str)
def test_what_wants_a_note_makes_its_span_odd(value: object):
    """Its neighbours are not odd."""
    assert read({"a": 1}, {"a": value}, {"b": "x"}).odd.tolist() == [False, True, False]


def test_scalars_are_texts_too():
    """Of each span the attribute of a name as text; null for lists, and where there is none."""
    found = read({"a": "x"}, {"b": 1}, {"a": 7}, {"a": True}, {"a": 1.5}, {"a": ["x"]}, {"a": None})
    held = found.where("a")
    assert found.rows[held].tolist() == [0, 2, 3, 4, 5, 6]
    assert found.as_text(held).to_pylist() == ["x", "7", "true", "1.5", None, None]
    assert found.kind("int_value", held).to_pylist() == [None, 7, None, None, None, None]
    assert found.where("unknown").tolist() == []


def test_X_08_too_many_attributes_are_not_read_by_column(monkeypatch: pytest.MonkeyPatch):
    """Reading one by one then says how many there may be."""
    monkeypatch.setattr("collector.decode.columnar.attributes.MOST_ATTRIBUTES", 3)
    read({"a": 1, "b": 2}, {"a": 1})
    with pytest.raises(ValueError, match="too many"):
        read({"a": 1, "b": 2}, {"a": 1, "b": 2})
