"""What rebuilding changed, or would change: a block a run for people, or one JSON object."""

from typing import Any, TextIO

import orjson

from collector.cli.differences import NOTHING, Difference
from collector.cli.rebuilding import Change, Outcome
from collector.cli.render.text import brief
from collector.printable import clean

LONGEST = 60
"""Characters of one value."""

MOST_FACTS = 20
"""Facts of one run that are shown to people."""


class Page:
    """Takes outcomes as they come. Blocks are written at once, the sums (or the JSON object) by `end`."""

    def __init__(self, out: TextIO, *, diff: bool, as_json: bool) -> None:
        self._out = out
        self._diff = diff
        self._as_json = as_json
        self._whole = Outcome()

    def add(self, outcome: Outcome) -> None:
        """Some traces more."""
        self._whole.traces += outcome.traces
        self._whole.same += outcome.same
        self._whole.failed += outcome.failed
        self._whole.changes += outcome.changes if self._as_json else [Change(c.run_id, c.kind) for c in outcome.changes]
        if not self._as_json:
            for change in outcome.changes:
                self._out.write("".join(f"{line}\n" for line in _block(change)))

    def end(self) -> None:
        """Nothing more comes."""
        if self._as_json:
            self._out.write(
                orjson.dumps(_object(self._whole), default=str, option=orjson.OPT_NON_STR_KEYS).decode() + "\n"
            )
        else:
            self._out.write(_sums(self._whole, diff=self._diff) + "\n")


def _block(change: Change) -> list[str]:
    said = f"{change.kind}: run {clean(change.run_id)}"
    facts = [
        f"  {clean(fact.path)}: {_short(fact.before)} → {_short(fact.after)}" for fact in change.facts[:MOST_FACTS]
    ]
    more = len(change.facts) - len(facts)
    return [said, *facts, *([f"  … and {more} more"] if more else [])]


def _short(value: Any) -> str:
    if value is NOTHING:
        return "(nothing)"
    text = brief(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _sums(whole: Outcome, *, diff: bool) -> str:
    if not whole.traces:
        return "Nothing to rebuild: all trees were built by this version. --all takes them all."
    changed, new, gone = (len(whole.of(kind)) for kind in ("changed", "new", "gone"))
    traces = f"{whole.traces:,} trace{'' if whole.traces == 1 else 's'}"
    head, verbs = (
        (f"Nothing was written. Of the runs of {traces}", "would change,would be new,would go,would stay as before")
        if diff
        else (f"Rebuilt {traces}: of their runs", "changed,came new,went,stayed as before")
    )
    counts = [f"{n:,} {verb}" for n, verb in zip((changed, new, gone, whole.same), verbs.split(","), strict=True)]
    failed = f" {len(whole.failed):,} could not be built: {', '.join(whole.failed[:3])}." if whole.failed else ""
    return f"{head} {', '.join(counts)}.{failed}"


def _object(whole: Outcome) -> dict[str, Any]:
    return {
        "traces": whole.traces,
        "same": whole.same,
        "changed": [{"run_id": c.run_id, "facts": [_fact(fact) for fact in c.facts]} for c in whole.of("changed")],
        "new": [c.run_id for c in whole.of("new")],
        "gone": [c.run_id for c in whole.of("gone")],
        "failed": whole.failed,
    }


def _fact(fact: Difference) -> dict[str, Any]:
    told = {"before": fact.before, "after": fact.after}
    return {"path": fact.path} | {side: value for side, value in told.items() if value is not NOTHING}
