"""`call_condition`: how many calls of a tool have such arguments, by conditions in the Python-like language."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grader.expressions.dsl import UNKNOWN, Expression
from grader.met import context_of, met, params_of
from grader.outcome import Finding, Truth, either, every
from grader.patterns import show
from grader.scene import Scene, Scope
from grader.wanted import Sifted, Wanted, lack, listing, times
from grader.wanted import complete as everything_known

_FAR = 10**9
"""More calls than any condition speaks of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCondition:
    """Calls that meet all of `where` are counted, and the count meets all of `count`.

    `gate`: conditions on the fixture alone, which must hold whatever was called. `where` speaks of `params` and `context`,
    `count` of `invocations` and `context`. Without `count` one such call is enough.
    """

    wanted: Wanted
    gate: tuple[Expression, ...]
    where: tuple[Expression, ...]
    count: tuple[Expression, ...]
    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """Calls seen are a lower bound: the count is known where every call and all its arguments were captured."""
        fixture = {"context": context_of(scene)}
        open_ = every(met(e, fixture) for e in self.gate)
        if open_ is not True:
            return Finding(open_, f"{self._told(self.gate)}{_unmet(open_)}")
        sifted = self.wanted.sift(scene, self.scope)
        sure, maybe = self._filtered(sifted, fixture)
        complete = everything_known(scene, self.scope, self.wanted)
        truth = self._counted(len(sure), len(maybe), fixture, complete=complete)
        spans = sifted.spans(sure or [*sifted.named])
        if truth is True:
            return Finding(
                True, f"{self.tell()}: {len(sure)} of {len(sifted.named)} calls; expected {self.expected()}", spans
            )
        sentence = self._miss(sifted, sure, maybe)
        if truth is None:
            sentence += f"; {self._lack(scene, fixture, len(maybe), complete=complete)}"
        return Finding(truth, sentence, spans)

    def tell(self) -> str:
        """For a sentence: "math.add where params.a == 4"."""
        return self.wanted.tell() + (f" where {self._told(self.where)}" if self.where else "")

    def expected(self) -> str:
        """For a sentence: what the count must meet."""
        return self._told(self.count) or "at least once"

    def _lack(self, scene: Scene, fixture: Mapping[str, Any], maybe: int, *, complete: bool) -> str:
        if not complete:
            return lack(scene, self.scope, self.wanted)
        if fixture["context"] is UNKNOWN and any(e.mentions("context") for e in (*self.where, *self.count)):
            return "the context was not captured"
        return f"{times(maybe)} more it may have been: the arguments were not captured"

    @staticmethod
    def _told(conditions: Iterable[Expression]) -> str:
        return " and ".join(e.source for e in conditions)

    def _filtered(self, sifted: Sifted, fixture: Mapping[str, Any]) -> tuple[list[int], list[int]]:
        """S3-15: all filters hold of the same call."""
        sure, maybe = [], list[int]()
        doubtful = frozenset(sifted.maybe)
        for position in sorted((*sifted.sure, *sifted.maybe)):
            values = {"params": params_of(sifted.calls.items[position]), **fixture}
            truth = every((None if position in doubtful else True, *(met(e, values) for e in self.where)))
            if truth is not False:
                (maybe if truth is None else sure).append(position)
        return sure, maybe

    def _counted(self, sure: int, maybe: int, fixture: Mapping[str, Any], *, complete: bool) -> Truth:
        """The same answer for every number of calls that there can have been, else open."""
        if complete:
            numbers: Iterable[int] = range(sure, sure + maybe + 1)
        else:
            turns = {t + d for t in self._turns(fixture) for d in (-1, 0, 1)}
            numbers = sorted({sure, _FAR} | {t for t in turns if t > sure})
        answers = {self._meets(number, fixture) for number in numbers}
        return answers.pop() if len(answers) == 1 else None

    def _meets(self, number: int, fixture: Mapping[str, Any]) -> Truth:
        if not self.count:
            return number > 0  # S3-14
        return every(met(e, {"invocations": number, **fixture}) for e in self.count)

    def _turns(self, fixture: Mapping[str, Any]) -> Iterator[int]:
        """Where the answer can change: the numbers in the conditions, and in the fixture where they speak of it."""
        yield 0
        for expression in self.count:
            for node in ast.walk(ast.parse(" ".join(expression.source.split()), mode="eval")):
                if isinstance(node, ast.Constant):
                    yield from _numbers(node.value)
            if expression.mentions("context"):
                yield from _numbers(fixture["context"])

    def _miss(self, sifted: Sifted, sure: list[int], maybe: list[int]) -> str:
        called = f"was called {times(len(sure))}" if sure else "was never called"
        head = f"{self.tell()} {called}; expected {self.expected()}"
        if not sifted.named:
            return f"{self.wanted.tool} was never called; expected {self.expected()}; {listing(sifted.calls.items)}"
        near = [p for p in sifted.named if p not in sure and p not in maybe]
        if not near or (sure and not self._wants_more(len(sure))):
            return head
        call = sifted.calls.items[near[0]]
        if self.wanted.states.of(call) is False:
            return f"{head}; another call is {call.state}"
        return f"{head}; another call had {show(call.arguments) if call.arguments else 'no arguments'}"

    def _wants_more(self, sure: int) -> bool:
        """Whether one more call would do, so that the nearest one tells something."""
        return either(self._meets(n, {"context": UNKNOWN}) for n in (sure + 1, sure + 2, _FAR)) is True


def _unmet(truth: Truth) -> str:
    return (
        " does not hold, so nothing is expected to match"
        if truth is False
        else " is not known: the context was not captured"
    )


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, dict):
        for below in value.values():
            yield from _numbers(below)
    elif isinstance(value, list):
        for below in value:
            yield from _numbers(below)
    elif isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _FAR:
        yield int(value)


FORMS = ()
