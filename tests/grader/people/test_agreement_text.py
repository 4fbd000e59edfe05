"""How agreement is told."""

import json

from grader.people.agreement import Pair, agreement
from grader.people.agreement_text import MOST, Compared, as_json, as_text
from tests.grader.people.test_agreement import level, pair


def compared(*pairs: Pair, scale: int | None = None, check: str = "tone") -> list[Compared]:
    return [Compared(suite="main", judge="polite", check=check, figures=agreement(pairs, scale))]


def test_the_figures_and_the_cases_in_which_they_differ() -> None:
    """With what either said; control characters of a reply reach no terminal."""
    odd = pair(True, False)
    odd.judge.sentence = "fine \x1b[2J"
    text = as_text(compared(pair(True, True), pair(False, False), odd, pair(True, True), pair(True, None)), {})
    assert text.startswith(
        "main: polite and labels of 'tone'\n  4 outputs compared: agreement 75%, Cohen's kappa 0.50\n"
    )
    assert "  1 false pass, 0 false fail; 1 without a label, 0 with a label and no verdict of the judge\n" in text
    assert "  c, run r\n    judge pass: fine \\x1b[2J\n    label fail: s\n" in text


def test_levels_have_a_figure_of_their_own() -> None:
    """Where there are some."""
    pairs = (pair(level(1), level(2)), pair(level(5), level(4)))
    assert "weighted by levels 0.80" in as_text(compared(*pairs, scale=5), {})
    assert "weighted" not in as_text(compared(*pairs), {})


def test_a_kappa_that_cannot_be_told_says_so() -> None:
    """Both always said pass."""
    assert "kappa not defined (both always say the same)" in as_text(compared(pair(True, True)), {})


def test_many_differences_are_counted() -> None:
    """JSON has them all."""
    many = compared(*[pair(True, False)] * (MOST + 3))
    assert "and 3 more (--json has all)" in as_text(many, {})
    assert len(json.loads(as_json(many))["judges"][0]["differing"]) == MOST + 3


def test_nothing_to_compare_says_why() -> None:
    """No verdict, or no label of that check: then what labels there are."""
    assert "no verdict on 1 output with a label; --ask asks" in as_text(compared(pair(None, True)), {})
    unlabelled = compared(pair(True, None), check="")
    assert "1 output without a label; `tracegrade label` asks for some" in as_text(unlabelled, {})
    told = as_text(unlabelled, {"": 3, "accuracy": 2})
    assert "labels of no check by name\n" in told
    assert "the store has labels of no check by name (3), accuracy (2); --check chooses" in told


def test_json_has_every_figure() -> None:
    """What is not known is null."""
    (told,) = json.loads(as_json(compared(pair(True, False), pair(None, True), check="")))["judges"]
    differing = told.pop("differing")
    assert told == {
        "suite": "main", "judge": "polite", "check": None, "compared": 1, "without_verdict": 1, "without_label": 0,
        "agreement": 0.0, "kappa": 0.0, "weighted_kappa": None, "false_pass": 1, "false_fail": 0,
    }  # fmt: skip
    said = {"value": 1.0, "sentence": "s"}
    assert differing == [
        {
            "case": "c",
            "run_id": "r",
            "judge": {"outcome": "pass"} | said,
            "label": {"outcome": "fail", "value": 0.0, "sentence": "s"},
        }
    ]
