"""The JUnit report says what the gate says."""

from xml.etree import ElementTree as ET

from grader.report.formats.junit import FORMAT
from grader.report.report_format import Page
from tests.grader.report.gradings import empty, mixed
from tests.grader.suites import suite
from tests.grader.trees import candidate, job


def test_a_test_case_a_case_and_one_for_the_gate() -> None:
    """Red and green are the decision's own: an undecided sample within a passing case shuts the gate alone."""
    root = ET.fromstring(FORMAT.render([mixed()], Page()))
    found = {c.get("name"): [e.tag for e in c if e.tag != "system-out"] for c in root.iter("testcase")}
    assert found == {
        "refunds": ["failure"],
        "quiet": [],
        "seldom": ["error"],
        "missing": ["error"],
        "gate": ["failure"],
    }
    (case,) = root.findall("testsuite")
    assert (case.get("tests"), case.get("failures"), case.get("errors")) == ("5", "2", "2")


def test_tolerated_failures_are_not_red() -> None:
    """A case within its share is green, and its failed sample stands in the output."""
    from grader.grading import grade_suite

    written = suite("  - {name: c, request: x, expect: [{called: f}]}\n", 'gate: {each_case: {pass: "50%"}}')
    runs = [candidate(job(*calls, input="x"), id=f"r{len(calls)}") for calls in ([], ["f"])]
    root = ET.fromstring(FORMAT.render([grade_suite(written, runs, id="g", now=0)], Page()))
    assert not root.findall(".//failure")
    assert "r0 fail f was never called" in (root.findtext(".//system-out") or "")


def test_what_xml_cannot_hold_is_replaced() -> None:
    """Control characters of a reply do not break the file."""
    from grader.grading import grade_suite

    written = suite("  - {name: c, request: x, expect: [{reply: {excludes: a}}]}\n")
    runs = [candidate(job(input="x", reply="a\x00\x1b"), id="r")]
    text = FORMAT.render([grade_suite(written, runs, id="g", now=0), empty()], Page())
    assert "\x00" not in text
    assert "\x1b" not in text
    ET.fromstring(text)


def test_each_check_and_notice_is_told() -> None:
    """Name, kind, severity, outcome; the run with its score and flags; notices as properties of the suite."""
    grading = mixed()
    grading.notices.append("not read: 'x'")
    grading.samples[0].flags = ("partially_graded",)
    root = ET.fromstring(FORMAT.render([grading], Page()))
    out = root.findtext(".//system-out") or ""
    assert "  limits tool_calls [limits, minor] fail: 2 tool calls; the limit is 1" in out
    assert "partially_graded)" in out.splitlines()[0]
    assert [p.get("value") for p in root.iter("property")] == ["not read: 'x'"]
