"""Connic test files: an agent's tests, each with a payload and assertions, run several times against a threshold."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from grader.case import Case, Check, Match, Select, Suite, sealed
from grader.connic.approvals import DECISIONS, approvals
from grader.connic.children import child_checks
from grader.connic.reading import check
from grader.connic.results import COMPLETED, expected_result
from grader.connic.tools import Asked, tool_checks
from grader.gates.success_threshold import Runs, SuccessThreshold
from grader.shares import Share
from grader.suites import Format
from grader.syntax.foreign import Fields, Sheet, glance, kind_of

VERSION = "1.0"
MOST_RUNS, LONGEST_NAME, LONGEST_WAIT = 100, 120, 3600

_STRICT = "strict_approval_decisions"
_SWITCHES = ("strict_mocks", "strict_hook_mocks", "strict_middleware_mocks", "strict_guardrail_mocks")
_CONTROLS = ("builder", "builder_args", "files", "mocks", "timeout_s", *_SWITCHES)
"""What only the live runner can do (S3-47, S3-48)."""

_OTHERS = frozenset({"tracegrade", "cases", "scenarios", "assertions", "checks_version", "suites"})


class _Defaults(NamedTuple):
    """What holds for a test that does not say otherwise (S3-44)."""

    runs: int = 1
    threshold: float = 100
    strict: bool = False


def recognises(text: str) -> bool:
    """A file with `tests`, each of which has a payload or a builder."""
    value = glance(text) if "tests" in text else None
    if not isinstance(value, dict) or _OTHERS & value.keys() or not isinstance(value.get("tests"), list):
        return False
    return any(isinstance(test, dict) and {"payload", "builder"} & test.keys() for test in value["tests"])


def read(path: Path, text: str) -> Suite:
    """The compiled suite: a case a test.

    Raises:
        SuiteError: with every mistake in the file, each with its line.
    """
    sheet = Sheet(path, text)
    head = sheet.fields()
    _version(head)
    agent = head.text_or("agent", path.stem)
    notices = [] if head.has("agent") else [f"names no agent, so it is about {agent!r}, as the file is called"]
    defaults = head.fields("defaults")
    given, controls = _Defaults(), list[str]()
    if defaults is not None:
        given = _settings(defaults, given)
        controls = [f"defaults.{key}" for key in _controls(defaults)]
        defaults.close()
    tests = [_Test(fields, given) for fields in head.items("tests", least=1)]
    cases = tuple(test.case() for test in tests)
    _once(sheet, tests)
    if head.rest():
        notices.append(f"not read: {', '.join(map(repr, head.rest()))}")
    sheet.done()
    gate = SuccessThreshold(cases=tuple(test.runs for test in tests))
    suite = Suite(
        name=agent, path=str(path), format="connic", select=Select(agent=agent), gate=gate, cases=cases,
        notices=(*notices, *_not_applicable(controls)), text=text,
    )  # fmt: skip
    return sealed(suite)


class _Test:
    """One entry of `tests`."""

    def __init__(self, fields: Fields, defaults: _Defaults) -> None:
        self.fields = fields
        self.name = fields.text("name")
        if len(self.name) > LONGEST_NAME:
            fields.wrong("name", f"has {len(self.name)} characters; allowed are {LONGEST_NAME}")
        self.built = fields.has("builder")
        self.given = _settings(fields, defaults)
        exact = Fraction(str(self.given.threshold)) / 100
        share = Share(exact.numerator, exact.denominator, f"{self.given.threshold:g}%")
        self.runs = Runs(self.name, self.given.runs, share)

    def case(self) -> Case:
        """Every assertion is a check of its own; all must hold."""
        request, match = self._request()
        checks = tuple(self._checks())
        controls = _controls(self.fields)
        self.fields.close()
        return Case(
            name=self.name,
            request=request,
            match=match,
            when=(),
            expect=checks,
            line=self.fields.line,
            notices=_not_applicable(controls),
        )

    def _request(self) -> tuple[Any, Match]:
        """S3-22: a text that is JSON is compared as what it says; without a payload only the run's case name tells."""
        payload = self.fields.raw("payload")
        if payload is None:
            if not self.built:
                self.fields.wrong("payload", "is missing, and there is no builder that makes one")
            return None, "name"
        return _said(payload) if isinstance(payload, str) else payload, "exact"

    def _checks(self) -> Iterator[Check]:
        for number, (kind, label, primitive, line) in enumerate(self._asked(), 1):
            yield check(kind, label, number, primitive, line)

    def _asked(self) -> Iterator[Asked]:
        fields, built = self.fields, self.built
        line = fields.sheet.document.line
        result = expected_result(fields, built=built)
        if result is None:
            yield "expected_result", "completed (implied)", COMPLETED, fields.line
        else:
            label = str(fields.values["expected_result"])
            yield "expected_result", label, result, line((*fields.where, "expected_result"))
        yield from tool_checks(fields, built=built)
        yield from child_checks(fields, built=built)
        script = approvals(fields, strict=self.given.strict, built=built)
        if script is not None:
            label = f"approvals{' (strict)' if self.given.strict else ''}"
            yield DECISIONS, label, script, line((*fields.where, DECISIONS))


def _settings(fields: Fields, defaults: _Defaults) -> _Defaults:
    """A test's own values override the defaults."""
    return _Defaults(
        runs=fields.whole_or("runs", defaults.runs, 1, MOST_RUNS),
        threshold=fields.number_or("success_threshold", defaults.threshold, 1, 100),
        strict=fields.truth_or(_STRICT, defaults.strict),
    )


def _controls(fields: Fields) -> list[str]:
    """The run controls that are written here, which are checked for their form alone."""
    fields.whole_or("timeout_s", 120, 1, LONGEST_WAIT)
    for key in _SWITCHES:
        fields.truth_or(key, default=False)
    return [key for key in _CONTROLS if fields.has(key)]


def _not_applicable(controls: list[str]) -> tuple[str, ...]:
    """One notice; a builder's fixture is needed all the same."""
    if not controls:
        return ()
    told = f"not applicable after the fact: {', '.join(controls)}"
    built = (
        "; what the builder made comes from the run (tracegrade.context) or --context" if "builder" in controls else ""
    )
    return (told + built,)


def _version(head: Fields) -> None:
    """S3-44; unquoted it is a number."""
    if head.has("version") and str(head.values["version"]) != VERSION:
        found = head.values["version"]
        head.wrong(
            "version",
            f"must be {VERSION!r}, is {found!r}"
            if isinstance(found, str)
            else f"must be {VERSION!r}, is {kind_of(found)}",
        )


def _said(payload: str) -> Any:
    """What a text says where it is JSON with more than a text in it."""
    try:
        value = orjson.loads(payload)
    except orjson.JSONDecodeError:
        return payload
    return payload if value is None or isinstance(value, str) else value


def _once(sheet: Sheet, tests: list[_Test]) -> None:
    """Names are how runs and results find their test, so each stands once."""
    seen: dict[str, int] = {}
    for test in tests:
        if test.name and test.name in seen:
            sheet.wrong((*test.fields.where, "name"), f"a test {test.name!r} stands on line {seen[test.name]} already")
        seen.setdefault(test.name, test.fields.line)


FORMAT = Format(name="connic", recognises=recognises, read=read, sign="`tests` with a payload or a builder each")
