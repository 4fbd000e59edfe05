"""What a tree lacks, it explains: every fact that is absent has a documented reason in its job's capture."""

import re

import pytest

from collector.normalize.assemble import capture as codes
from collector.tree import Capture, Job, Run
from tests import captures
from tests.normalize.ruler import Finding, measure

CODES = frozenset(
    code for line in re.findall(r"^ {4}(\S.*?)  +\S", codes.__doc__ or "", re.MULTILINE) for code in line.split(", ")
)
"""The documented codes: the README's table is made of the same text."""

KINDS = (
    (r"(turn \d+ )?input$", "input"),
    (r"(turn \d+ )?reply$", "reply"),
    (r"call \d+ \S+$", "tools"),
    (r"call \d+ .* arguments$", "tool_args"),
    (r"call \d+ .* result$", "tool_results"),
    (r"child ", "children"),
    (r"approval of ", "approvals"),
)
"""Which kind of evidence a fact is of. What else may be absent explains itself, as the README says: an `agent` of null,
a `status` of unknown, a call's `state` of requested or answered."""


def kind_of(fact: str) -> str | None:
    """The kind of evidence that would hold the fact."""
    return next((kind for pattern, kind in KINDS if re.match(pattern, fact)), None)


def concerned(finding: Finding, runs: list[Run]) -> list[Job]:
    """The fact's own job, else every job that might have held it: for words the roots, for calls and children all."""
    if finding.job is not None:
        return [finding.job]
    if kind_of(finding.fact) in ("input", "reply"):
        return [job for run in runs for job in run.root.walk() if "turn" in finding.fact or job is run.root]
    return [job for run in runs for job in run.root.walk()]


def explains(found: Capture) -> bool:
    """Whether it says that the evidence is not all there, and why."""
    return found.state != "present" and bool(found.reasons) and CODES.issuperset(found.reasons)


@pytest.mark.parametrize("name", captures.NAMES)
def test_every_absent_fact_has_a_reason(name: str) -> None:
    """The capture of the job that lacks it says so, for its kind, with a documented code."""
    capture = captures.load(name)
    runs = capture.trees()
    unexplained = []
    for found in measure(capture.truth, capture.scenario, runs):
        kind = kind_of(found.fact)
        shown_otherwise = found.got is not None and kind not in ("tools", "children", "approvals")
        if found.verdict == "absent" and kind is not None and not shown_otherwise:
            told = [job.capture[kind] for job in concerned(found, runs)]
            if not any(map(explains, told)):
                unexplained.append((found.fact, told))
    assert unexplained == []


@pytest.mark.parametrize("name", captures.NAMES)
def test_every_capture_that_is_not_complete_says_why(name: str) -> None:
    """No state but "present" stands without a documented code, on jobs and over the tree; "present" needs none."""
    for run in captures.load(name).trees():
        for job in run.root.walk():
            for kind, told in (*job.capture.items(), *run.capture.items()):
                assert (told.state == "present") == (not told.reasons), (kind, told)
                assert CODES.issuperset(told.reasons), (kind, told)
