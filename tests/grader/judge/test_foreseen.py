"""What a grading would ask of judges."""

import json

from grader.grading import grade_suite
from grader.judge.foreseen import foreseen
from grader.judge.tally import Asked, Tally
from tests.grader.suites import suite


def test_a_line_a_suite() -> None:
    """Also one that would ask nobody; a price that is not known is told."""
    made = suite("  - {name: a, expect: [{judge: x}]}\n")
    plain, asking, unpriced = (grade_suite(made, [], id="g", now=0) for _ in range(3))
    asking.asked = Asked(Tally(calls=1_200, cached=3, input_tokens=10_000, output_tokens=500, usd=1.234))
    unpriced.asked = Asked(Tally(calls=1, usd=None, unpriced={"n"}))
    assert foreseen([plain, asking, unpriced], as_json=False).splitlines() == [
        "s: 0 judge calls, 0 cached; at most 0 tokens in, 0 out, $0.00",
        "s: 1,200 judge calls, 3 cached; at most 10,000 tokens in, 500 out, $1.23",
        "s: 1 judge calls, 0 cached; at most 0 tokens in, 0 out, unknown (no price of n)",
    ]
    told = json.loads(foreseen([asking], as_json=True))["suites"]
    assert told == [
        {
            "suite": "s", "calls": 1_200, "cached": 3, "input_tokens_at_most": 10_000, "output_tokens_at_most": 500,
            "usd_at_most": 1.234,
        }
    ]  # fmt: skip
