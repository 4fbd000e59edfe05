"""Job-expectation evals: cases with `expect`, and an eval that passes at a share of passing cases (S4)."""

from difflib import get_close_matches
from pathlib import Path
from typing import Any

from grader.case import Case, Select, Suite, sealed
from grader.expectations.expect import read_expect
from grader.gates.case_share import CaseShare, read_threshold
from grader.suites import Format
from grader.syntax.foreign import Fields, Sheet, glance

MOST_CONSTRAINTS, LONGEST_CONSTRAINT = 20, 500
"""S4-17; the length in characters."""

ALIKE = 0.75
"""From which likeness on an unknown key of a case is a slip of the pen (`expects`), not another runner's business."""

_OTHERS = frozenset({"tracegrade", "checks_version", "scenarios", "assertions", "tests", "suites", "datasets"})
_OTHER_CASES = frozenset({"checks_version", "checks", "request", "payload"})
"""Keys of cases in other formats."""


def recognises(text: str) -> bool:
    """Cases with an input and what is expected; either tells."""
    value = glance(text)
    if not isinstance(value, dict) or _OTHERS & value.keys() or not isinstance(value.get("cases"), list):
        return False
    cases = [case for case in value["cases"] if isinstance(case, dict)]
    return any({"input", "expect"} & case.keys() for case in cases) and not any(_OTHER_CASES & c.keys() for c in cases)


def read(path: Path, text: str) -> Suite:
    """The compiled suite.

    Raises:
        SuiteError: with every mistake in the file, each with its line.
    """
    sheet = Sheet(path, text)
    head = sheet.fields()
    name = head.text_or("name", path.stem)
    agent = head.text_or("agent", None)
    gate = _gate(head)
    entries = head.items("cases", least=1)
    cases = tuple(_case(fields) for fields in entries)
    _once(sheet, entries, cases)
    notices = tuple(_not_read(head.rest()))
    sheet.done()
    suite = Suite(
        name=name, path=str(path), format="expectations", select=Select(agent=agent), gate=gate, cases=cases,
        notices=notices, text=text,
    )  # fmt: skip
    return sealed(suite)


def _gate(head: Fields) -> CaseShare:
    """S4-27: every case, unless a threshold is written."""
    if not head.has("threshold"):
        return CaseShare()
    try:
        return CaseShare(threshold=read_threshold(head.values["threshold"]))
    except ValueError as error:
        head.wrong("threshold", str(error))
        return CaseShare()


def _case(fields: Fields) -> Case:
    name = fields.text("name")
    request: Any = fields.raw("input")
    if request is None or request == "":
        fields.wrong("input", "is missing" if request is None else "must be a text or a JSON value, is empty")
    constraints = _constraints(fields)
    expect = fields.fields("expect") or Fields(fields.sheet, (*fields.where, "expect"), {})  # S4-28
    expected = read_expect(expect, constraints)
    notices = [*expected.answers.notices, *_unread(fields)]
    if constraints and not expect.has("constraints_reach"):
        notices.append("not applicable after the fact: constraints are given to a job when it starts; "
                       "`constraints_reach` checks that jobs carry them")  # fmt: skip
    return Case(
        name=name,
        request=request,
        match="exact",
        when=(),
        expect=expected.checks,
        line=fields.line,
        notices=tuple(notices),
        left_out=expected.answers.left_out,
    )


def _unread(fields: Fields) -> list[str]:
    """Keys that only a live runner knows; one that is nearly a key of ours would leave something unchecked."""
    for key in fields.rest():
        near = get_close_matches(key, fields.asked, n=1, cutoff=ALIKE)
        if near:
            fields.wrong(key, f"unknown key {key!r}; did you mean {near[0]!r}?")
    return _not_read(fields.rest())


def _not_read(keys: list[str]) -> list[str]:
    """A notice of them."""
    return [f"not read: {', '.join(map(repr, keys))}"] if keys else []


def _constraints(fields: Fields) -> tuple[str, ...]:
    """S4-17: at most 20, each of at most 500 characters on one line."""
    found = fields.texts("constraints")
    if len(found) > MOST_CONSTRAINTS:
        fields.wrong("constraints", f"has {len(found)} entries; allowed are {MOST_CONSTRAINTS}")
    for number, text in enumerate(found):
        where = (*fields.where, "constraints", number)
        if len(text) > LONGEST_CONSTRAINT:
            fields.sheet.wrong(where, f"has {len(text)} characters; allowed are {LONGEST_CONSTRAINT}")
        if len(text.splitlines()) > 1 or text[-1:] in ("\n", "\r"):
            fields.sheet.wrong(where, "must be one line")
    return tuple(found)


def _once(sheet: Sheet, entries: list[Fields], cases: tuple[Case, ...]) -> None:
    """Names are how runs and results find their case, so each stands once."""
    seen: dict[str, int] = {}
    for fields, case in zip(entries, cases, strict=True):
        if case.name and case.name in seen:
            sheet.wrong((*fields.where, "name"), f"a case {case.name!r} stands on line {seen[case.name]} already")
        seen.setdefault(case.name, fields.line)


FORMAT = Format(name="expectations", recognises=recognises, read=read, sign="`cases` with `input` and `expect`")
