"""Every construct of a vocabulary has, among the examples, a run that passes and one that fails; what cannot is named."""

from typing import Any

import pytest

from tests.grader.evalstone_files import refused
from tests.grader.rules.constructs import KNOWN, shown
from tests.grader.rules.examples_graded import example, examples, graded, listed

RUNS = [parameters for name in KNOWN for parameters in examples(name)]


@pytest.mark.parametrize(("name", "number", "case", "place"), RUNS)
def test_a_run_of_an_example(name: str, number: int, case: str, place: int) -> None:
    """The checks that are to fail do, no others, and the case comes to what is said."""
    one = example(name, number, case, place)
    told = [(r.kind, r.outcome, r.sentence) for r in one.sample.results]
    assert [r.kind for r in one.sample.results if r.outcome == "fail"] == one.fails, told
    assert one.sample.outcome == one.outcome, told


@pytest.mark.parametrize("name", KNOWN)
def test_each_construct_passes_once_and_fails_once(name: str) -> None:
    """Of those that the product's own tables name; the others come to what the table of exceptions says, and nothing else."""
    vocabulary, found = KNOWN[name], shown(name)
    for construct in vocabulary.constructs():
        instead, outcomes = vocabulary.instead(construct), found.get(construct, set())
        assert {"pass", "fail"} <= outcomes if instead is None else outcomes == {instead} - {""}, construct


def test_what_no_file_can_hold_is_refused() -> None:
    """Functions and predicates, which evalstone has in Python alone."""
    assert "for Python only" in str(refused(type="python"))
    assert "a file cannot hold" in str(refused(type="trajectory.tool_called", name="f", args="len"))


@pytest.mark.parametrize("name", KNOWN)
def test_exceptions_are_constructs(name: str) -> None:
    """The table of exceptions shrinks when they go."""
    assert set(KNOWN[name].exceptions) <= KNOWN[name].constructs()


@pytest.mark.parametrize("name", KNOWN)
def test_gates_of_the_examples_pass_and_fail(name: str) -> None:
    """Each file that says so."""
    said = {n: entry["verdict"] for n, entry in enumerate(listed(name)) if "verdict" in entry}
    found: dict[int, Any] = {n: graded(name, n).decision.verdict for n in said}
    assert found == said
    assert {"passed", "failed"} <= set(said.values())
