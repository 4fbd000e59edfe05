"""`in_order`: such a subsequence of calls exists; others may lie between. A witness proves it, completeness refutes it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field

from grader.forms import CallItem, Defaults, Entries, open_fields
from grader.outcome import Finding
from grader.scene import Primitive, Scene, Scope
from grader.wanted import Wanted, complete, lack, listing


@dataclass(frozen=True, slots=True, kw_only=True)
class Subsequence:
    """Each of `wanted` has a call of its own, in this order."""

    wanted: tuple[Wanted, ...]
    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """First over the calls that surely count, then over those that may."""
        sifted = [w.sift(scene, self.scope) for w in self.wanted]
        items = scene.calls(self.scope).items
        sure = _found([s.sure for s in sifted])
        spans = [s for p in sure for s in items[p].spans]
        chain = " → ".join(w.tell() for w in self.wanted)
        if len(sure) == len(self.wanted):
            return Finding(True, f"{chain} happened in this order", spans, 1.0)
        share = len(sure) / len(self.wanted)
        sentence = f"{chain} did not happen in this order: {self._stopped(sure)}; {listing(items)}"
        if not complete(scene, self.scope, *self.wanted):
            return Finding(None, f"{sentence}; {lack(scene, self.scope, *self.wanted)}", spans)
        if len(_found([sorted([*s.sure, *s.maybe]) for s in sifted])) == len(self.wanted):
            return Finding(None, f"{sentence}; some calls may count, their state or arguments are not known", spans)
        return Finding(False, sentence, spans, share)

    def _stopped(self, sure: Sequence[int]) -> str:
        missing = self.wanted[len(sure)].tell()
        return f"no call of {missing}" + (f" after {self.wanted[len(sure) - 1].tell()}" if sure else "")


def _found(positions: Sequence[Sequence[int]]) -> list[int]:
    """The earliest subsequence, as far as it goes; taking the earliest each time is optimal here."""
    found: list[int] = []
    at = -1
    for options in positions:
        step = next((p for p in options if p > at), None)
        if step is None:
            break
        found.append(step)
        at = step
    return found


class InOrder(CallItem):
    """These calls happened in this order; others may lie between."""

    KEY: ClassVar[str] = "in_order"

    in_order: Entries = Field(description="Names, or { tool, with }. A repeated entry needs a call of its own.")

    def compile(self, defaults: Defaults) -> Primitive:
        """A subsequence, one entry a step."""
        wanted = tuple(self.wanted(defaults, e.tool, open_fields(e.with_)) for e in self.in_order)
        return Subsequence(wanted=wanted, scope=self.scope or defaults.scope)

    def label(self) -> str:
        """With the names."""
        return f"in_order {' → '.join(e.tool for e in self.in_order)}"


FORMS = (InOrder,)
