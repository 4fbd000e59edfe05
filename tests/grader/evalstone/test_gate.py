"""The gate of an evalstone suite, as it is read."""

from typing import Any

from grader.evalstone.gate import read_gate
from grader.gates.scores import Scores
from grader.shares import read_rate
from grader.syntax.foreign import Sheet


def read(text: str) -> tuple[Scores, list[str], list[str]]:
    """The gate, the notices and the mistakes."""
    sheet = Sheet("f", text)
    notices: list[str] = []
    gate = read_gate(sheet.fields(), ("a", "b"), notices)
    return gate, notices, [m.message for m in sheet.mistakes]


def test_without_a_gate_every_score_must_pass() -> None:
    """And none may be an error."""
    assert read("x: 1")[0] == read("gate:")[0] == Scores(checks=("a", "b"), min_pass_rate=read_rate(1))


def test_a_gate_asks_what_it_says() -> None:
    """Each number becomes an exact share."""
    gate, notices, wrong = read(
        "gate: {min_pass_rate: 0.9, min_mean_score: {b: 0.5}, max_error_rate: 0.1, max_cost_usd: 2}"
    )
    assert gate == Scores(
        checks=("a", "b"),
        min_pass_rate=read_rate(0.9),
        min_mean_of=(("b", read_rate(0.5)),),
        max_error_rate=read_rate(0.1),
        max_cost_usd=2,
    )
    assert notices == wrong == []


def test_what_a_gate_does_not_ask_is_told() -> None:
    """A gate without a minimum lets failures pass; a regression has nothing to be compared with."""
    told: Any = read("gate: {max_regression: 0.1}")[1]
    assert [t.split(":")[0].split(",")[0] for t in told] == [
        "`max_regression` is skipped",
        "the gate asks for no pass rate and no mean score",
    ]
