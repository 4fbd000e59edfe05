"""`calls`: the calls as a multiset. Each entry needs a call of its own, found by optimal assignment, never greedily.

A call may fit several entries (with other arguments open), so which call serves which entry is a matching in a graph.
Sure edges are calls that count and fit whatever was not captured, maybe edges those that could. Between two matchings,
one that serves all entries and one that uses all calls, lies one that does both, so two sizes decide `exactly`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field

from grader.assignment import assign, served
from grader.forms import CallItem, Defaults, Entries, open_fields
from grader.nearest_call import nearest_call
from grader.outcome import Finding, Truth
from grader.scene import Calls, Primitive, Scene, Scope
from grader.wanted import Wanted, lack, listing, times
from grader.wanted import complete as everything_known

Amount = Literal["exactly", "at_least", "at_most"]


@dataclass(slots=True)
class _Graph:
    """Calls that count surely and perhaps, and for each entry those that fit surely and perhaps (positions)."""

    calls: Calls
    sure: list[int]
    maybe: list[int]
    fits: list[list[int]]
    could: list[list[int]]

    def given(self, *, perhaps: bool, among: Sequence[int]) -> list[int | None]:
        """The best assignment that uses these calls alone."""
        allowed = set(among)
        return assign([[p for p in row if p in allowed] for row in (self.could if perhaps else self.fits)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Multiset:
    """The calls are these entries and no others (`exactly`), hold them (`at_least`), or are among them (`at_most`)."""

    wanted: tuple[Wanted, ...]
    match: Amount
    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """True over sure edges alone; False where no assignment exists even over edges that are only possible."""
        complete = everything_known(scene, self.scope, *self.wanted)
        graph = self._graph(scene)
        given = graph.given(perhaps=False, among=graph.sure)
        truth = self._truth(graph, served(given), complete)
        spans = [s for p in given if p is not None for s in graph.calls.items[p].spans]
        names = ", ".join(w.tell() for w in self.wanted)
        if truth is True:
            return Finding(True, f"each of {names} {self._held(len(graph.sure))}", spans, 1.0)
        missing, others = self._misses(graph, given, complete)
        told = "; ".join([*missing, *others]) or f"expected {self.match.replace('_', ' ')} {names}"
        if truth is False:
            extra = [p for p in graph.sure if p not in given] if self.match != "at_least" else []
            found = [s for p in extra for s in graph.calls.items[p].spans]
            return Finding(False, told, found or spans, self._share(graph, given))
        why = "states or arguments were not captured" if complete else lack(scene, self.scope, *self.wanted)
        return Finding(None, f"{told}; {why}", spans)

    def _graph(self, scene: Scene) -> _Graph:
        """All entries count the same states, which their first tells."""
        ran = scene.complete("tools", self.scope)
        calls = scene.calls(self.scope)
        counts = [self.wanted[0].states.of(call) for call in calls.items]
        fits: list[list[int]] = []
        could: list[list[int]] = []
        for wanted in self.wanted:
            there = [p for p in calls.named(wanted.tool, wanted.names) if counts[p] is not False]
            answers = [(p, wanted.fits(calls, p, ran)) for p in there]
            fits.append([p for p, answer in answers if answer is True])
            could.append([p for p, answer in answers if answer is not False])
        sure = [p for p, count in enumerate(counts) if count is True]
        return _Graph(calls, sure, [p for p, count in enumerate(counts) if count is None], fits, could)

    def _truth(self, graph: _Graph, surely: int, complete: bool) -> Truth:
        """What has no place among the entries refutes even where calls are missing; what is missing may be unseen."""
        everything = [*graph.sure, *graph.maybe]
        entries = len(self.wanted)
        possible = served(graph.given(perhaps=True, among=everything))
        placed = self.match == "at_least" or served(graph.given(perhaps=True, among=graph.sure)) == len(graph.sure)
        filled = self.match == "at_most" or not complete or possible == entries
        if not (placed and filled):
            return False
        if self.match == "at_least":
            return True if surely == entries else None
        if not complete:
            return None
        if self.match == "exactly":
            return True if surely == entries == len(graph.sure) and not graph.maybe else None
        return True if served(graph.given(perhaps=False, among=everything)) == len(everything) else None

    def _misses(self, graph: _Graph, given: list[int | None], complete: bool) -> tuple[list[str], list[str]]:
        """Entries without a call of their own, each with the nearest call, and calls without an entry."""
        missing: list[str] = []
        if self.match != "at_most":
            lone = [w for w, p in zip(self.wanted, given, strict=True) if p is None]
            missing = [self._missing(w, lone.count(w), graph, given, complete) for w in dict.fromkeys(lone)]
        items = graph.calls.items
        extra = [items[p] for p in graph.sure if p not in given] if self.match != "at_least" else []
        if extra and len(extra) < len(graph.sure):
            return missing, [listing(extra).replace("the agent called", "called beyond that")]
        return missing, [listing(items)] if items else [] if missing else ["the agent called no tool"]

    def _missing(self, wanted: Wanted, often: int, graph: _Graph, given: list[int | None], complete: bool) -> str:
        calls = graph.calls
        named = calls.named(wanted.tool, wanted.names)
        head = f"no call of its own for {wanted.tell()}" + (f" ({times(often)})" if often > 1 else "")
        free = [p for p in named if p not in given]
        if free and (wanted.arguments is not None or any(wanted.states.of(calls.items[p]) is not True for p in free)):
            return f"{head}; the nearest call was {nearest_call(wanted, calls, free, complete=complete)[1]}"
        return f"{head}; {wanted.tool} was {f'called {times(len(named))}' if named else 'never called'}"

    def _share(self, graph: _Graph, given: list[int | None]) -> float:
        """Entries served, of the entries and the calls beyond them."""
        extra = len(graph.sure) - served(given) if self.match != "at_least" else 0
        entries = served(given) if self.match == "at_most" else len(self.wanted)
        return served(given) / max(1, entries + extra)

    def _held(self, number: int) -> str:
        if self.match == "at_most":
            return f"is enough for the {number} calls that were made" if number else "is allowed; no tool was called"
        return "had a call of its own" + (", and there were no others" if self.match == "exactly" else "")


class CallsItem(CallItem):
    """The calls as a multiset: how often which, in whatever order."""

    KEY: ClassVar[str] = "calls"

    calls: Entries = Field(description="Names, or { tool, with }. Each entry needs a call of its own.")
    match: Amount = Field(
        default="exactly", description="exactly: these and no others; at_least: these; at_most: none but these."
    )

    def compile(self, defaults: Defaults) -> Primitive:
        """A multiset has no order: its entries are sorted."""
        wanted = (self.wanted(defaults, e.tool, open_fields(e.with_)) for e in self.calls)
        return Multiset(
            wanted=tuple(sorted(wanted, key=lambda w: w.tell())), match=self.match, scope=self.scope or defaults.scope
        )

    def label(self) -> str:
        """With the names."""
        return f"calls {self.match.replace('_', ' ')} {', '.join(e.tool for e in self.calls)}"


FORMS = (CallsItem,)
