"""`rag`: against what the trace itself holds."""

from typing import Any

import pytest

from collector.tree import Retrieval
from grader.asking import Question
from grader.syntax.mistakes import SuiteError
from tests.grader.judge.answering import asks, decided, level
from tests.grader.suites import suite
from tests.grader.trees import call, captured, child, job, scene

FOUND = [Retrieval("refunds", [{"id": "policy.md", "score": 0.9, "content": "Refunds take 5 days."}])]


def primitive(item: str = "faithfulness"):
    return suite(f"  - {{name: a, expect: [{{rag: {item}}}]}}\n").cases[0].expect[0].primitive


def asked(item: str, *calls: Any, **more: Any) -> list[Question]:
    return [q for q in asks(primitive(item), scene(*calls, **more)) if isinstance(q, Question)]


def test_the_context_is_what_was_retrieved_and_what_tools_answered_over_the_tree() -> None:
    """Also by children."""
    below = child("helper", call("lookup", {"id": 7}, {"total": 50}))
    (question,) = asked("faithfulness", call("search", {"q": "x"}, "found it"), retrievals=FOUND, jobs=[below])
    assert "[retrieved for refunds: policy.md]\nRefunds take 5 days." in question.prompt
    assert '[result of search {"q":"x"}]\nfound it' in question.prompt
    assert '[result of lookup {"id":7}]\n{"total":50}' in question.prompt


@pytest.mark.parametrize(
    ("item", "has", "has_not"),
    [("context_relevance", ("hello", "Refunds take"), "done"), ("answer_relevance", ("hello", "done"), "Refunds take")],
)
def test_each_is_shown_its_own_two(item: str, has: tuple[str, str], has_not: str) -> None:
    """Context relevance never the reply, answer relevance never the context."""
    (question,) = asked(item, retrievals=FOUND)
    assert all(text in question.prompt for text in has)
    assert f">\n{has_not}" not in question.prompt


def test_levels_pass_from_the_second_highest_or_the_threshold_on() -> None:
    """On their own scale of five."""
    for item, passing in (("faithfulness", 4), ("{kind: faithfulness, threshold: 0.5}", 3)):
        found = [decided(primitive(item), scene(retrievals=FOUND), level(n)) for n in range(1, 6)]
        assert [f.truth for f in found] == [n >= passing for n in range(1, 6)]
        assert [f.value for f in found] == [0, 0.25, 0.5, 0.75, 1]


@pytest.mark.parametrize("kind", ["tools", "tool_results", "retrievals"])
def test_a_context_that_is_not_all_there_supports_and_does_not_refute(kind: str) -> None:
    """What was not captured may be what supports a claim: never unfaithful."""
    lacking = scene(retrievals=FOUND, capture=captured(**{kind: "partial"}))  # ty: ignore[invalid-argument-type]  a kind by its name
    assert decided(primitive(), lacking, level(5)).truth is True
    found = decided(primitive(), lacking, level(1))
    assert (found.truth, found.value) == (None, None)
    assert "captured in part only" in found.sentence
    assert asks(primitive("context_relevance"), lacking) == []


def test_without_any_context_nobody_is_asked() -> None:
    """Whether nothing was captured or nothing was there."""
    for more, told in (
        ({}, "nothing was retrieved"),
        ({"capture": captured(tools="absent")}, "tool calls were not captured"),
    ):
        found = decided(primitive(), scene(**more), level(1))
        assert asks(primitive(), scene(**more)) == []
        assert (found.truth, told in found.sentence) == (None, True)


def test_a_question_that_was_not_captured_is_not_judged() -> None:
    """It stays open."""
    lacking = scene(capture=captured(input="absent"))
    assert asks(primitive("answer_relevance"), lacking) == []
    assert decided(primitive("answer_relevance"), lacking, level(5)).truth is None


def test_a_kind_that_is_none_is_a_mistake() -> None:
    """With the nearest."""
    with pytest.raises(SuiteError, match="faithfulness"):
        suite("  - {name: a, expect: [{rag: faithfulnes}]}\n")
    assert job().retrievals == []
