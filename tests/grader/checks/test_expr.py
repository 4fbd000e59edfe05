"""`expr` and `cel` as a suite writes them."""

import pytest

from grader.syntax.mistakes import SuiteError
from tests.grader.suites import suite
from tests.grader.trees import scene


def test_both_languages_stand_in_a_suite() -> None:
    """Each with the facts of the job, and with its scope."""
    found = suite(
        "  - name: a\n    expect:\n      - expr: 'output.label != \"unknown\"'\n"
        "      - cel: \"tool_calls.filter(c, c.function == 'refund').size() == 1\"\n        scope: job\n"
    )
    first, second = (c.primitive for c in found.cases[0].expect)
    where = scene("payments.refund", reply='{"label": "spam"}')
    assert first.decide(where).truth is second.decide(where).truth is True
    assert (first.scope, second.scope) == ("tree", "job")  # ty: ignore[missing-attribute]


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("{expr: 'outptu == 1'}", "did you mean 'output'"),
        ("{expr: 'output.x() == 1'}", "nothing can be called"),
        ("{expr: ''}", "at least 1 character"),
        ("{cel: 'outptu == 1'}", "did you mean 'output'"),
        ("{cel: 'calls + 1'}", "a condition gives true or false"),
        ("{child: c, payload: 'payload.x =='}", r"cases\[0\]\.expect\[0\]\.payload"),
        ("{child: c, payload: 'output == 1'}", "known are payload, payload_raw, context"),
    ],
)
def test_bad_expressions_are_refused_when_the_suite_is_read(item: str, message: str) -> None:
    """With the place in the file, and the caret under the place in the expression."""
    with pytest.raises(SuiteError, match=message) as raised:
        suite(f"  - name: a\n    expect:\n      - {item}\n")
    (mistake,) = raised.value.mistakes
    assert mistake.line == 7
    assert "at least" in message or "^" in str(mistake)
