"""Scenario checks: every pass condition (`assertions`) applies to every scenario, and each scenario has a rate of its own."""

from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.case import Case, Check, Select, Suite, sealed
from grader.gates.scenario_runs import MOST_SAMPLES, ScenarioRuns
from grader.scenario import assertions
from grader.shares import Share
from grader.suites import Format
from grader.syntax.foreign import Fields, Sheet, glance

MOST_SCENARIOS, MOST_ASSERTIONS = 10, 10
"""Of a definition (S1-15)."""

_OTHERS = frozenset({"tracegrade", "cases", "tests", "suites", "checks_version"})


def recognises(text: str) -> bool:
    """A definition has scenarios and assertions; one of the two is enough to know that it is meant as such."""
    value = glance(text)
    return isinstance(value, dict) and bool({"scenarios", "assertions"} & value.keys()) and not _OTHERS & value.keys()


def read(path: Path, text: str) -> Suite:
    """The compiled suite: a case a scenario, each with all conditions (S1-3).

    Raises:
        SuiteError: with every mistake in the file, each with its line.
    """
    sheet = Sheet(path, text)
    head = sheet.fields()
    name = head.text_or("name", path.stem)
    head.id_or("version", "")
    scenarios = head.items("scenarios", least=1)
    checks, notices = _conditions(head)
    gate = _gate(head, len(scenarios))
    cases = [_case(fields, number, checks, gate.samples) for number, fields in enumerate(scenarios, 1)]
    for key, found, most in (("scenarios", scenarios, MOST_SCENARIOS), ("assertions", checks, MOST_ASSERTIONS)):
        if len(found) > most:
            head.wrong(key, f"has {len(found)} entries; allowed are {most}")
    _once(sheet, scenarios, cases)
    notices += head.unread()
    sheet.done()
    suite = Suite(
        name=name, path=str(path), format="scenario", select=Select(), gate=gate, cases=tuple(cases),
        notices=tuple(notices), text=text,
    )  # fmt: skip
    return sealed(suite)


def _conditions(head: Fields) -> tuple[list[Check], list[str]]:
    """The pass conditions, and a notice of those that are not the service's own (S1-4)."""
    found = [
        assertions.read_assertion(item, number) for number, item in enumerate(head.items("assertions", least=1), 1)
    ]
    checks = [check for check in found if check is not None]
    extra = sorted({check.kind for check in checks} & assertions.EXTENSIONS.keys())
    why = "the service's own description has conditions on tools alone"
    return checks, [f"extension: {', '.join(extra)}; {why}"] if extra else []


def _gate(head: Fields, scenarios: int) -> ScenarioRuns:
    """Starting values: one sample, one valid result, 100 % (S1-18); ten samples at most over all scenarios (S1-15)."""
    samples = head.whole_or("samplesPerScenario", 1, 1, MOST_SAMPLES)
    if samples * scenarios > MOST_SAMPLES and scenarios <= MOST_SCENARIOS:
        product = f"{scenarios} scenarios of {samples} samples are {samples * scenarios}"
        head.wrong("samplesPerScenario", f"{product}; a run has at most {MOST_SAMPLES}")
    minimum = head.whole_or("minimumValidResults", 1, 1, samples)
    rate = head.number_or("requiredPassRate", 100, 1, 100)
    exact = Fraction(str(rate)) / 100
    return ScenarioRuns(samples=samples, minimum=minimum, rate=Share(exact.numerator, exact.denominator, f"{rate:g}%"))


def _case(fields: Fields, number: int, checks: list[Check], samples: int) -> Case:
    request: Any = fields.raw("input")
    if request is None or request == "":
        fields.wrong("input", "is missing" if request is None else "must be a text or a JSON value, is empty")
    id_ = fields.id_or("id", "") or f"scenario {number}"
    return Case(
        name=id_,
        request=request,
        match="exact",
        when=(),
        expect=tuple(checks),
        needs=(assertions.recorded(),),
        line=fields.line,
        samples=samples,
        notices=tuple(fields.unread()),
    )


def _once(sheet: Sheet, scenarios: list[Fields], cases: list[Case]) -> None:
    """Ids are how runs and results find their scenario, so each stands once."""
    seen: dict[str, int] = {}
    for fields, case in zip(scenarios, cases, strict=True):
        if case.name in seen:
            sheet.wrong((*fields.where, "id"), f"a scenario {case.name!r} stands on line {seen[case.name]} already")
        seen.setdefault(case.name, fields.line)


FORMAT = Format(name="scenario", recognises=recognises, read=read, sign="`scenarios` and `assertions`")
