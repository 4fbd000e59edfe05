"""What every check type needs: paths and references."""

from typing import Any

import pytest

from grader.evalstone.datasets import Sample
from grader.evalstone.reading import Reference, path_of, unscored
from tests.grader.trees import scene


def sample(expected: Any) -> Sample:
    return Sample(id="s", input="i", expected=expected, line=1, content="")


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("a", ("a",)),
        ("a.0.b", ("a", "0", "b")),
        ("a[0].b", ("a", "0", "b")),
        ("[0]", ("0",)),
        ("a[-1][2]", ("a", "-1", "2")),
    ],
)
def test_paths_are_dotted_and_lists_have_positions(text: str, steps: tuple[str, ...]) -> None:
    """In either writing."""
    assert path_of(text) == steps


def test_a_reference_is_literal_or_at_a_path_or_all_that_is_expected() -> None:
    """In this order; null is none."""
    assert Reference(literal=0).of(sample("x")) == (0, "")
    assert Reference(path="a.1").of(sample({"a": [1, False]})) == (False, "")
    assert Reference().of(sample({"a": 1})) == ({"a": 1}, "")
    assert Reference().of(sample(None)) == (None, "sample 's' has no `expected`")
    assert Reference(path="a").of(sample({"a": None})) == (None, "`expected.a` of sample 's' is null")
    assert Reference(path="a").of(sample("text")) == (None, "`expected.a` of sample 's' is missing")


def test_what_cannot_be_scored_says_why() -> None:
    """It decides nothing."""
    finding = unscored("exact", "no reference").decide(scene())
    assert (finding.truth, finding.sentence) == (None, "“exact” cannot be scored: no reference")
