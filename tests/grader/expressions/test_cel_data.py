"""Values made ready for CEL."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from grader.expressions.cel_data import clean
from grader.expressions.comparing import UNKNOWN
from tests.grader.expressions.probes import SCALARS, json_of


@given(json_of(SCALARS.filter(lambda v: not isinstance(v, int) or -(2**63) <= v < 2**63)))
def test_json_stays_as_it_is(value: Any) -> None:
    """What CEL can take is not changed."""
    assert clean({"x": value}).values == {"x": value}


@given(json_of(st.integers() | st.text(st.characters()) | st.tuples(st.floats()) | st.binary()))
def test_whatever_comes_out_can_be_taken(value: Any) -> None:
    """Texts can be encoded, whole numbers fit 64 bits, and there is nothing but JSON."""

    def check(found: Any) -> None:
        if isinstance(found, dict):
            for key, inner in found.items():
                key.encode()
                check(inner)
        elif isinstance(found, list):
            for inner in found:
                check(inner)
        elif isinstance(found, str):
            found.encode()
        else:
            assert found is None or isinstance(found, bool | float) or -(2**63) <= found < 2**63

    check(clean({"x": value}).values["x"])


def test_replacements() -> None:
    """Each odd value has its replacement."""
    odd = {"pair": "\ud83d\ude00", "lone": "a\ud800", "large": 2**70, "huge": -(10**400), "tuple": (1, (2,)), None: 1}
    assert clean({"x": odd}).values["x"] == {
        "pair": "😀",
        "lone": "a\ufffd",
        "large": float(2**70),
        "huge": float("-inf"),
        "tuple": [1, [2]],
        "None": 1,
    }


def test_a_variable_with_a_hole_is_left_out() -> None:
    """Nothing is read from a variable of which a part was not captured, or that is too deep."""
    deep: Any = 1
    for _ in range(201):
        deep = [deep]
    assert set(clean({"whole": 1, "hole": {"a": [UNKNOWN]}, "none": UNKNOWN, "deep": deep}).values) == {"whole"}


def test_sizes() -> None:
    """The largest text and list are known afterwards."""
    cleaned = clean({"x": ["abc", [1] * 50], "y": {"k" * 10: 1}})
    assert (cleaned.longest_text, cleaned.longest_list, cleaned.largest) == (10, 50, 800)
