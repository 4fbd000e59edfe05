"""Definitions and their hashes."""

import dataclasses

import pytest

from grader.case import digest, sealed
from grader.checks.json_reply import NonEmpty
from grader.checks.reply import Same
from grader.patterns import Literal, Regex
from grader.shares import read_share
from tests.grader.suites import suite


def test_the_hash_is_of_types_and_parameters() -> None:
    """Two definitions with the same fields but of another kind differ; compiled parts do not count."""
    assert digest(Literal(1)) == digest(Literal(1))
    assert digest(Literal(1)) != digest(Literal("1"))
    assert digest(Literal("x")) != digest(Regex("x"))
    assert digest(Regex("x")) == digest(Regex("x"))


def test_the_order_of_keys_never_matters() -> None:
    """Also in literals."""
    assert digest(Literal({"a": 1, "b": 2})) == digest(Literal({"b": 2, "a": 1}))


def test_how_a_share_is_written_does_not_count() -> None:
    """The text is only for people."""
    assert digest(read_share("95 %")) == digest(read_share("95%"))


@pytest.mark.parametrize("value", [2**70, float("nan"), None, [1, {"a": ()}]])
def test_any_literal_has_a_hash(value: object) -> None:
    """Also numbers that JSON libraries refuse."""
    assert len(digest(Literal(value))) == 32


def test_what_belongs_to_a_case_is_part_of_its_hash() -> None:
    """A line of a dataset, also where no check reads it."""
    made = suite("  - {name: c}\n")
    other = dataclasses.replace(made, cases=(dataclasses.replace(made.cases[0], content="abc"),))
    assert sealed(made).hash != sealed(other).hash


def test_every_parameter_of_a_check_is_part_of_its_hash() -> None:
    """Whatever it is called: a path in a reply and a text to compare with are asked for."""
    assert digest(NonEmpty(path=("a",))) != digest(NonEmpty(path=("b",)))
    same = Same(text="a", case_sensitive=True, strip=True)
    assert digest(same) != digest(dataclasses.replace(same, text="b"))


def test_where_a_case_stands_is_no_part_of_its_hash() -> None:
    """Lines above it and its notices change nothing."""
    assert suite("  - {name: c}\n").hash == suite("\n  - {name: c}\n").hash
    case = suite("  - {name: c}\n").cases[0]
    assert digest(case) == digest(dataclasses.replace(case, notices=("n",), line=9, hash="x"))
