"""JUnit XML for CI: a test case a case, so that red and green there say what the gate says, samples in its output."""

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from grader.gate import CaseVerdict
from grader.grading import CaseReport, Grading
from grader.report.report_format import Format, Page
from grader.sample import Sample

_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, whatever their escape."""

MOST_SAMPLES = 50
"""Samples told a case; CI systems choke on megabytes of output."""


def render(gradings: Sequence[Grading], page: Page) -> str:  # noqa: ARG001
    """A test suite a grading: its cases, and the gate itself as the last test case."""
    root = ET.Element("testsuites", name="tracegrade")
    for grading in gradings:
        _suite(root, grading)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(root: ET.Element, grading: Grading) -> None:
    suite = ET.SubElement(root, "testsuite", name=_fit(grading.suite.name))
    if grading.notices:
        properties = ET.SubElement(suite, "properties")
        for notice in grading.notices:
            ET.SubElement(properties, "property", name="notice", value=_fit(notice))
    for report, verdict in zip(grading.cases, grading.decision.cases, strict=True):
        _case(suite, grading, report, verdict)
    gate = ET.SubElement(suite, "testcase", classname=_fit(grading.suite.name), name="gate")
    _verdict(gate, grading.decision.verdict, grading.decision.text)
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(len(suite.findall(f"testcase/{tag}"))))
    suite.set("tests", str(len(suite.findall("testcase"))))


def _case(suite: ET.Element, grading: Grading, report: CaseReport, verdict: CaseVerdict) -> None:
    case = ET.SubElement(suite, "testcase", classname=_fit(grading.suite.name), name=_fit(report.case.name))
    case.set("file", _fit(grading.suite.path))
    case.set("line", str(report.case.line))
    _verdict(case, verdict.verdict, verdict.reason)
    told = report.samples[:MOST_SAMPLES]
    lines = [line for s in told for line in _sample(s)]
    left = len(report.samples) - len(told)
    ET.SubElement(case, "system-out").text = _fit("\n".join(lines + ([f"and {left} more"] if left else [])))


def _sample(sample: Sample) -> list[str]:
    """The run with its outcome, score and flags; below it every check with name, kind, severity and outcome."""
    score = [] if sample.value is None else [f"score {sample.value:.2f}"]
    head = f"{sample.run.run_id} {sample.outcome} {sample.reason}".rstrip()
    extra = ", ".join([*score, *sample.flags])
    checks = [f"  {r.check} [{r.kind}, {r.severity}] {r.outcome}: {r.sentence}" for r in sample.results]
    return [f"{head} ({extra})" if extra else head, *checks]


def _verdict(element: ET.Element, verdict: str | None, reason: str) -> None:
    if verdict is None:
        ET.SubElement(element, "skipped", message=_fit(reason))
    elif verdict == "failed":
        ET.SubElement(element, "failure", message=_fit(reason))
    elif verdict != "passed":
        ET.SubElement(element, "error", message=_fit(reason), type="not-gateable")


def _fit(text: str) -> str:
    return _UNFIT.sub("�", text)


FORMAT = Format(".xml", render)
