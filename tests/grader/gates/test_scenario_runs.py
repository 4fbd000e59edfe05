"""The gate of scenario checks. Its four rules are tested in `tests/grader/rules/test_s1_runs.py`; here, what it tells."""

from collections import Counter

from grader.gate import CaseTally
from grader.gates.scenario_runs import ScenarioRuns
from grader.shares import read_share

GATE = ScenarioRuns(samples=3, minimum=2, rate=read_share("50%"))


def test_each_scenario_says_how_it_came_out() -> None:
    """Its rate, what is outside of it, and what was needed."""
    tallies = [
        CaseTally("a", Counter({"pass": 2, "error": 1})),
        CaseTally("b", Counter({"fail": 2, "pass": 1})),
        CaseTally("c", Counter({"indeterminate": 1}), note="no run for this case"),
    ]
    decision = GATE.decide(tallies)
    assert [c.verdict for c in decision.cases] == ["passed", "failed", "not gateable"]
    assert [c.reason for c in decision.cases] == [
        "'a': 2 of 2 determinate samples passed, required 50% (1 errored)",
        "'b': 1 of 3 determinate samples passed, required 50%",
        (
            "'c': 0 of 0 determinate samples passed, required 50% (1 indeterminate, 2 not recorded: no run for this case)"
            "; at least 2 determinate needed"
        ),
    ]
    assert decision.reasons == (f"run Fail: {decision.cases[1].reason}",)


def test_a_pass_tells_how_much_it_rests_on() -> None:
    """Scenarios, and samples among all that were asked for."""
    assert GATE.decide([CaseTally("a", Counter({"pass": 2}))]).reasons == (
        "run Pass: 1 scenario, 2 of 3 samples passed",
    )


def test_too_many_runs_are_refused_with_what_to_do() -> None:
    """Whatever they came to."""
    decision = GATE.decide([CaseTally("a", Counter({"fail": 6})), CaseTally("b", Counter({"pass": 5}))])
    assert (decision.verdict, decision.exit_code) == ("not gateable", 2)
    assert decision.reasons[0].startswith("11 runs answer the scenarios")
