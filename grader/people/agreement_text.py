"""How judges and labels agree, for people and for machines."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import orjson

from collector import printable
from grader.gate import plural
from grader.people.agreement import Agreement, Pair

MOST = 20
"""Outputs told in full a judge; the others are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A judge of a suite, the check whose labels it was compared with ("": those of none by name), and what came of it."""

    suite: str
    judge: str
    check: str
    figures: Agreement


def as_json(found: Sequence[Compared]) -> str:
    """One object; what could not be computed is null."""
    told = {"judges": [_plain(one) for one in found]}
    return orjson.dumps(told, option=orjson.OPT_INDENT_2).decode() + "\n"


def as_text(found: Sequence[Compared], names: Mapping[str, int]) -> str:
    """A paragraph a judge. `names`: how many labels the store has of each check."""
    return "\n".join("\n".join(_told(one, names)) + "\n" for one in found)


def _plain(one: Compared) -> dict[str, Any]:
    figures = asdict(one.figures)
    differing = [_pair(pair) for pair in one.figures.differing]
    del figures["differing"]
    return {"suite": one.suite, "judge": one.judge, "check": one.check or None, **figures, "differing": differing}


def _pair(pair: Pair) -> dict[str, Any]:
    said = {
        who: {"outcome": result.outcome, "value": result.value, "sentence": result.sentence}
        for who, result in (("judge", pair.judge), ("label", pair.label))
    }
    return {"case": pair.case, "run_id": pair.run_id, **said}


def _told(one: Compared, names: Mapping[str, int]) -> list[str]:
    figures = one.figures
    labels = f"labels of {one.check!r}" if one.check else "labels of no check by name"
    lines = [f"{one.suite}: {one.judge} and {labels}"]
    if not figures.compared:
        lines.append(f"  nothing to compare: {_why(figures, names)}")
        return [printable.clean(line) for line in lines]
    lines.append(
        f"  {plural(figures.compared, 'output')} compared: agreement {figures.agreement:.0%}, "
        f"Cohen's kappa {_number(figures.kappa)}"
        + ("" if figures.weighted_kappa is None else f", weighted by levels {figures.weighted_kappa:.2f}")
    )
    lines.append(f"  {figures.false_pass} false pass, {figures.false_fail} false fail; {_left(figures)}")
    for pair in figures.differing[:MOST]:
        lines += [
            f"  {pair.case}, run {pair.run_id}",
            f"    judge {pair.judge.outcome}: {pair.judge.sentence}",
            f"    label {pair.label.outcome}: {pair.label.sentence}",
        ]
    if len(figures.differing) > MOST:
        lines.append(f"  and {len(figures.differing) - MOST} more (--json has all)")
    return [printable.clean(line) for line in lines]


def _left(figures: Agreement) -> str:
    """What could not be compared."""
    return (
        f"{figures.without_label} without a label, {figures.without_verdict} with a label and no verdict of the judge"
        + (" (--ask asks for them)" if figures.without_verdict else "")
    )


def _why(figures: Agreement, names: Mapping[str, int]) -> str:
    if figures.without_verdict:
        return (
            f"the judge has no verdict on {plural(figures.without_verdict, 'output')} with a label; --ask asks for them"
        )
    known = ", ".join(f"{name or 'no check by name'} ({number})" for name, number in names.items())
    have = f"the store has labels of {known}; --check chooses" if known else "`tracegrade label` asks for some"
    return f"{plural(figures.without_label, 'output')} without a label; {have}"


def _number(value: float | None) -> str:
    return "not defined (both always say the same)" if value is None else f"{value:.2f}"
