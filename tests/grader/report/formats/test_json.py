"""The JSON report."""

import orjson

from grader.report.formats.json import FORMAT
from grader.report.report_format import Page
from tests.grader.report.gradings import empty, mixed


def test_it_holds_what_the_text_tells() -> None:
    """Verdict, counts, samples, checks with spans."""
    report = orjson.loads(FORMAT.render([mixed(), empty()], Page()))
    assert report["exit_code"] == 2
    first, second = report["gradings"]
    assert (first["gate"]["verdict"], second["gate"]["verdict"]) == ("failed", "not gateable")
    case = first["cases"][0]
    assert case["counts"] == {"fail": 1, "pass": 1}
    sample = case["samples"][0]
    assert (sample["run_id"], sample["outcome"], sample["changed_because"]) == ("run-fail", "fail", "child joined")
    assert (first["format"], sample["flags"]) == ("native", [])
    assert sample["checks"][0] == {
        "position": "1",
        "check": "called refund",
        "kind": "called",
        "outcome": "fail",
        "value": 0.0,
        "severity": "critical",
        "sentence": "refund was called once, with amount 60; expected 50",
        "spans": ["f" * 16],
    }
