"""What `tracegrade agreement` does: judges of a suite beside the labels of the same outputs, from what the store holds."""

import dataclasses
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from collector import Extension, Store, UserError, config, connect
from grader.case import Case, Check, Suite
from grader.checks.human import Human
from grader.code.process import Permission
from grader.grade import Options, look
from grader.judge.judges import Judges
from grader.judge.options import JudgeOptions
from grader.people import stored
from grader.people.agreement import Pair, agreement
from grader.people.agreement_text import Compared, as_json, as_text
from grader.people.judged import JUDGED, scale_of
from grader.sample import Sample
from grader.suites import read_suites
from grader.workers import Crew

_LABEL = ".label"
"""After the position of a judge: the label that it is compared with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the command line says. `judging` asks nobody, unless it says so."""

    check: str | None
    judging: JudgeOptions
    as_json: bool = False
    allow_code: bool = False
    format_name: str | None = None


def compare(paths: Sequence[Path], store: str | None, asked: Asked, extensions: Sequence[Extension]) -> int:
    """Prints how judges and labels agree; 0 where anything could be compared, else 2.

    Raises:
        UserError: a suite has mistakes, or no judge.
        StoreError: the store cannot be opened or read.
    """
    suites = [
        suite
        for suite in read_suites(paths, asked.format_name, Permission() if asked.allow_code else None)
        if _judges(suite, asked.check)
    ]
    if not suites:
        raise UserError("No check of these suites asks a judge (judge, rag, compare), so there is nothing to compare.")
    with connect(config.load({"store": store}).settings.store, extensions=extensions, create=False) as opened:
        opened.settle()
        judges = asked.judging.judges(opened)
        found = [one for suite in suites for one in compared(opened, suite, asked, judges)]
        names = stored.names(opened)
    sys.stdout.write(as_json(found) if asked.as_json else as_text(found, names))
    return 0 if any(one.figures.compared for one in found) else 2


def compared(store: Store, suite: Suite, asked: Asked, asking: Judges) -> list[Compared]:
    """Each judge of a suite with the labels of its name, or of the check that was named. `asking` gives the verdicts."""
    judges = _judges(suite, asked.check)
    cases = tuple(
        dataclasses.replace(case, expect=_beside(case, judges, asked.check, Path(suite.path).parent))
        for case in suite.cases
    )
    shadow = dataclasses.replace(suite, cases=cases)
    with Crew(1) as crew:
        options = Options(quiet_seconds=None, judging=asked.judging)
        grading = look(store, shadow, options, crew, asking)
    pairs: dict[str, list[Pair]] = {name: [] for name in judges}
    for sample in grading.samples:
        for name, pair in _pairs(sample):
            pairs[name].append(pair)
    return [
        Compared(
            suite=suite.name, judge=name, check=name if asked.check is None else asked.check,
            figures=agreement(pairs[name], scale_of(check.primitive)),
        )
        for name, check in judges.items()
    ]  # fmt: skip


def _judges(suite: Suite, named: str | None) -> dict[str, Check]:
    """The judged checks by name; where one bears the name of the labels, that one alone."""
    found = {c.label: c for case in suite.cases for c in case.expect if isinstance(c.primitive, JUDGED)}
    return {named: found[named]} if named in found else found


def _beside(case: Case, judges: dict[str, Check], named: str | None, folder: Path) -> tuple[Check, ...]:
    """The judges of a case, each with a check that reads the label of the same output; nothing spares any of them."""
    checks: list[Check] = []
    for check in case.expect:
        if check.label in judges and isinstance(check.primitive, JUDGED):
            human = Human(
                check=check.label if named is None else named, source="", folder=str(folder),
                rendering=check.primitive.rendering,
            )  # fmt: skip
            checks += [
                dataclasses.replace(check, circuit="", unknown="error"),
                dataclasses.replace(
                    check, circuit="", unknown="error", primitive=human, position=check.position + _LABEL
                ),
            ]
    return tuple(checks)


def _pairs(sample: Sample) -> list[tuple[str, Pair]]:
    by_position = {result.position: result for result in sample.results}
    return [
        (judge.check, Pair(case=sample.case, run_id=sample.run.run_id, judge=judge, label=label))
        for position, judge in by_position.items()
        if (label := by_position.get(position + _LABEL)) is not None
    ]
