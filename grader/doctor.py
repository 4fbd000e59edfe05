"""`tracegrade doctor`: what each service's traces can show, and which checks they can therefore never decide."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import orjson

from collector import Extension, UserError, config, connect, diagnose, printable


@dataclass(frozen=True, slots=True)
class Need:
    """A check, or a part of one, and the kind of evidence that it rests on.

    `proof` "some": one thing seen may prove it; "all": only complete capture proves it, something seen may refute it;
    "all or nothing": without complete capture neither is known.
    """

    check: str
    what: str
    kind: str
    proof: Literal["some", "all", "all or nothing"]


NEEDS = (
    Need("called", "called", "tools", "some"),
    Need("called", "called … times, max", "tools", "all"),
    Need("called", "with, with_exactly of a call that was made", "tool_args", "some"),
    Need("called", "$from a result", "tool_results", "some"),
    Need("not_called", "not_called", "tools", "all"),
    Need(
        "not_called",
        "not_called, times max, limits, calls, approved: calls that never ran (state: executed can)",
        "requests",
        "all",
    ),
    Need("expr", "expr: tools, tool_calls", "requests", "all or nothing"),
    Need("cel", "cel: tools, tool_calls", "requests", "all or nothing"),
    Need("calls", "calls: at_least", "tools", "some"),
    Need("calls", "calls: exactly, at_most", "tools", "all"),
    Need("in_order", "in_order", "tools", "some"),
    Need("every", "every … preceded_by", "tools", "all or nothing"),
    Need("limits", "limits: tool_calls, same_call", "tools", "all"),
    Need("limits", "limits: model_calls", "model_calls", "all"),
    Need("limits", "limits: usd", "cost", "all"),
    Need("approved", "approved, of a tool that was called", "approvals", "some"),
    Need("approved", "approved", "tools", "all"),
    Need("skills_read", "skills_read", "skills", "some"),
    Need("expr", "expr: output", "reply", "all or nothing"),
    Need("expr", "expr: tools, tool_calls", "tools", "all or nothing"),
    Need("expr", "expr: skills_read", "skills", "all or nothing"),
    Need("expr", "expr: cost_usd", "cost", "all or nothing"),
    Need("cel", "cel: output", "reply", "all or nothing"),
    Need("cel", "cel: tools, tool_calls", "tools", "all or nothing"),
    Need("cel", "cel: skills_read", "skills", "all or nothing"),
    Need("cel", "cel: cost_usd", "cost", "all or nothing"),
    Need("reply", "reply", "reply", "some"),
    Need("json", "json", "reply", "some"),
    Need("child", "child", "children", "some"),
    Need("child", "child … triggered, max", "children", "all"),
    Need("constraints_reach", "constraints_reach", "constraints", "some"),
    Need("constraints_reach", "constraints_reach below the root", "children", "all"),
)
"""The checks that can be in want of evidence."""

NEEDS_NOTHING = frozenset({"captured", "status"})
"""Checks that decide on whatever there is."""

UNGRADED = frozenset({"note", "judge", "rag", "safety", "compare", "human", "python"})
"""Checks that no evidence decides."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """Checks that cannot decide on a service's traces, and those that cannot pass."""

    never_decided: list[str]
    never_passed: list[str]


def blocked(kinds: Sequence[Any]) -> Blocked:
    """What the shares of a service rule out. A kind that some run holds rules nothing out."""
    shares = {share.kind: share for share in kinds}
    undecided, unpassed = [], []
    for need in NEEDS:
        share = shares.get(need.kind)
        if share is None or share.present:
            continue
        if not share.partial or need.proof == "all or nothing":
            undecided.append(need.what)
        elif need.proof == "all":
            unpassed.append(need.what)
    return Blocked(list(dict.fromkeys(undecided)), unpassed)


def doctor(store: str | None, service: str | None, extensions: Sequence[Extension], *, as_json: bool = False) -> int:
    """Look at the stored traces and print; returns the exit code.

    Raises:
        UserError: no spans of that service are stored, or none at all.
        StoreError: the store cannot be opened or read.
    """
    with connect(config.load({"store": store}).settings.store, extensions=extensions, create=False) as opened:
        opened.settle()
        found = diagnose(opened, service)
    if not found.services:
        whose = "" if service is None else f" of the service {service}; `tracegrade runs` shows the services"
        raise UserError(f"No spans are stored{whose}.")
    if as_json:
        services = [asdict(one) | {"checks": asdict(blocked(one.kinds))} for one in found.services]
        sys.stdout.write(orjson.dumps({"services": services, "outdated_traces": found.outdated}).decode() + "\n")
        return 0
    sys.stdout.write("\n".join(line for one in found.services for line in (*_told(one), "")))
    if found.outdated:
        sys.stdout.write(
            f"\n{found.outdated:,} traces have trees of an older version: `tracegrade normalize` rebuilds them.\n"
        )
    return 0


def _told(one: Any) -> Iterator[str]:
    name = "spans without service.name" if one.service is None else _line(one.service)
    if not one.runs:
        yield f"{name} · {one.spans:,} spans · no runs: none of them was understood as an agent's"
        yield f"  instrumentations seen: {_line(', '.join(one.scopes) or 'none')}"
        yield "  `tracegrade instrument` lists what is understood, and how it is switched on"
        return
    yield f"{name} · {one.runs:,} run{'' if one.runs == 1 else 's'} · dialects: {', '.join(one.dialects)}"
    yield f"  {'evidence':<13}{'present':>9}{'partial':>9}{'absent':>9}{'malformed':>11}  why not more"
    for share in one.kinds:
        parts = [(share.present, 9), (share.partial, 9), (share.absent, 9), (share.malformed, 11)]
        counts = "".join(_percent(part, share.runs).rjust(width) for part, width in parts)
        yield f"  {share.kind:<13}{counts}  {', '.join(share.reasons)}".rstrip()
    if one.remedies:
        yield "  to see more:"
        yield from (f"    {', '.join(remedy.kinds)}: {remedy.text}" for remedy in one.remedies)
    yield from (f"  {note}." for note in one.notes)
    checks = blocked(one.kinds)
    if checks.never_decided:
        yield f"  checks that these traces can never decide: {'; '.join(checks.never_decided)}"
    if checks.never_passed:
        yield f"  checks that can fail here and never pass: {'; '.join(checks.never_passed)}"


def _percent(part: int, whole: int) -> str:
    """A share that rounds to none or to all and is not is told as such."""
    if part in (0, whole):
        return "100%" if part else "-"
    return f"{min(99, max(1, round(100 * part / whole)))}%"


def _line(text: str) -> str:
    """Names come from traces: a terminal must not obey them."""
    return printable.clean(text)
