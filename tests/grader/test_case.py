"""Definitions and their hashes."""

import dataclasses

import pytest

from grader.case import Case, digest, facts
from grader.checks.json_reply import NonEmpty
from grader.checks.note import Ungraded
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


def test_a_parameter_counts_whatever_its_name() -> None:
    """The text of a note and the path of a value are asked for; the line of a case is not."""
    assert digest(Ungraded(text="a", why="")) != digest(Ungraded(text="b", why=""))
    assert digest(NonEmpty(path=("a",))) != digest(NonEmpty(path=("b",)))
    plain = Case(name="c", request=None, match="exact", when=(), expect=())
    assert digest(plain) == digest(dataclasses.replace(plain, line=7, notices=("n",), hash="h"))


def test_facts_are_plain_data_with_every_parameter() -> None:
    """What was computed from them is left out."""
    assert facts(Regex("x")) == {"type": "Regex", "pattern": "x"}
    assert facts((2**70, {1: Literal(None)})) == [str(2**70), {"1": {"type": "Literal", "value": None}}]
    assert facts(read_share("95%"))["text"] == "95%"


@pytest.mark.parametrize("value", [2**70, float("nan"), None, [1, {"a": ()}]])
def test_any_literal_has_a_hash(value: object) -> None:
    """Also numbers that JSON libraries refuse."""
    assert len(digest(Literal(value))) == 32


def test_a_case_of_notes_alone_verifies_nothing() -> None:
    """Nor does one without checks."""
    cases = suite("  - {name: a, expect: [{note: n}]}\n  - {name: b, expect: [{note: n}, {called: f}]}\n").cases
    assert [c.verifies for c in cases] == [False, True]
    assert not dataclasses.replace(cases[0], expect=()).verifies
