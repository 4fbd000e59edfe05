"""Text for people: each case with its count, what did not pass and why, and the gate; fits the terminal's width."""

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from collector import printable
from grader.grading import CaseReport, Grading
from grader.outcome import Result
from grader.report.console import console, written
from grader.report.report_format import Format, Page
from grader.sample import Sample

STYLES = {
    "pass": "green", "passed": "green", "fail": "bold red", "failed": "bold red", "error": "bold magenta",
    "indeterminate": "yellow", "not gateable": "yellow", "not_graded": "yellow", "skipped": "dim", "n/a": "dim",
}  # fmt: skip
"""Colours only underline what the word says."""

MOST_SAMPLES = 5
"""Samples told in full a case; the others are counted."""

MOST_SPANS = 3


def render(gradings: Sequence[Grading], page: Page) -> str:
    """All suites, one after the other."""
    screen, out = console(page)
    for number, grading in enumerate(gradings):
        if number:
            screen.print()
        _grading(screen, grading)
    return written(out)


def _grading(screen: Console, grading: Grading) -> None:
    runs = f"{grading.selected} runs" if grading.selected != 1 else "1 run"
    screen.print(Text.assemble((_safe(grading.suite.name), "bold"), f" ({_safe(str(grading.suite.path))}), {runs}"))
    for report, verdict in zip(grading.cases, grading.decision.cases, strict=True):
        _case(screen, report, verdict.verdict or "n/a", verdict.reason)
    for notice in _notices(grading):
        screen.print(Padding(Text(_safe(notice), "dim"), (0, 0, 0, 2)))
    style = STYLES[grading.decision.verdict]
    screen.print(
        Text.assemble((f"gate {grading.decision.verdict}", style), ": " + _safe("; ".join(grading.decision.reasons)))
    )


def _case(screen: Console, report: CaseReport, verdict: str, reason: str) -> None:
    name = f"{report.case.name!r}: "
    head = Table.grid(padding=(0, 1))
    head.add_column(width=12, no_wrap=True)
    head.add_column(overflow="fold")
    told = reason.removeprefix(name)
    head.add_row(Text(verdict, STYLES[verdict]), Text.assemble((_safe(report.case.name), "bold"), f"  {_safe(told)}"))
    screen.print(Padding(head, (0, 0, 0, 2)))
    telling = [s for s in report.samples if s.outcome not in ("pass", "skipped") or s.changed_because or _minor(s)]
    for sample in telling[:MOST_SAMPLES]:
        _sample(screen, sample)
    if len(telling) > MOST_SAMPLES:
        screen.print(Padding(Text(f"and {len(telling) - MOST_SAMPLES} more (--json has all)", "dim"), (0, 0, 0, 15)))


def _minor(sample: Sample) -> bool:
    return any(r.outcome != "pass" for r in sample.results)


def _sample(screen: Console, sample: Sample) -> None:
    line = Text.assemble("run ", _safe(sample.run.run_id), " ", (sample.outcome, STYLES[sample.outcome]))
    if sample.changed_because:
        line.append(f"  (was {sample.previous_outcome}: {_safe(sample.changed_because)})", "cyan")
    if sample.value not in (None, 0.0, 1.0):
        line.append(f"  score {sample.value:.2f}", "dim")
    for flag in sample.flags:
        line.append(f"  {_safe(flag)}", "yellow")
    screen.print(Padding(line, (0, 0, 0, 15)))
    rows = [r for r in sample.results if r.outcome != "pass"]
    if not rows and sample.reason:
        screen.print(Padding(Text(_safe(sample.reason)), (0, 0, 0, 17)))
    for result in rows:
        screen.print(Padding(_result(result), (0, 0, 0, 17)))


def _result(result: Result) -> Text:
    minor = ", minor" if result.severity == "minor" else ""
    text = Text.assemble(
        (f"{result.outcome}{minor}", STYLES[result.outcome]), f"  {_safe(f'{_name(result)}: {result.sentence}')}"
    )
    if result.cached:
        text.append("  cached", "dim")
    spans = list(result.spans)
    if spans:
        more = f" and {len(spans) - MOST_SPANS} more" if len(spans) > MOST_SPANS else ""
        text.append(f"  [{', '.join(spans[:MOST_SPANS])}{more}]", "dim")
    return text


def _name(result: Result) -> str:
    """The check as its author called it, with its kind where the name does not begin with that."""
    return result.check if result.check.startswith(result.kind) else f"{result.check} ({result.kind})"


def _notices(grading: Grading) -> list[str]:
    notices = list(grading.notices)
    if grading.still_open:
        notices.append(f"{grading.still_open} runs are still open and were left out (--include-open takes them)")
    if grading.unmatched:
        notices.append(f"{grading.unmatched} runs answer no case with a request")
    return notices


def _safe(text: str) -> str:
    """Sentences quote names and values of traces, and a terminal must not obey those."""
    return printable.clean(text)


FORMAT = Format(".txt", render)
