"""Conditions on the facts of a job, in one of the two expression languages: primitives that several checks share."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from grader.answers import structure
from grader.expressions.cel import CelExpression, EvaluationFailed, compile_cel
from grader.expressions.comparing import UNKNOWN, Absent, holds_unknown
from grader.expressions.dsl import Expression, compile_dsl
from grader.facts import FACTS, lacking, values, words_of
from grader.met import met
from grader.outcome import Finding
from grader.patterns import dig, show
from grader.scene import Scene, Scope
from grader.wanted import States


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """An expression of the Python-like language over these facts."""

    source: str
    roots: tuple[str, ...]
    scope: Scope
    compiled: Expression = field(init=False, repr=False, compare=False)
    words: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "compiled", compile_dsl(self.source, self.roots))
        object.__setattr__(self, "words", words_of(self.source))

    def decide(self, scene: Scene) -> Finding:
        """A field that is missing in evidence that is there makes it fail; evidence that is not there leaves it open."""
        mentioned = tuple(root for root in self.roots if root in self.compiled.names)
        known = values(mentioned, scene, self.scope, self.words)
        truth = met(self.compiled, known)
        spans = scene.job.spans[:1]
        if truth is True:
            return Finding(True, f"{self.source} holds", spans)
        if truth is None:
            open_ = [root for root, value in known.items() if holds_unknown(value)]
            return Finding(None, _open(self.source, open_, scene, self.scope), spans)
        paths = [n for n in sorted(self.compiled.names) if not any(o.startswith(f"{n}.") for o in self.compiled.names)]
        found = [(path, *dig(known[path.partition(".")[0]], path.split(".")[1:])) for path in paths]
        told = ", ".join(f"{path} is {show(value) if there else 'not there'}" for path, value, there in found)
        return Finding(False, f"{self.source} does not hold{f': {told}' if told else ''}", spans)


@dataclass(frozen=True, slots=True, kw_only=True)
class CelCondition:
    """A CEL expression over these facts. An evaluation that goes wrong fails, with the reason (S4-6).

    `needed` are facts whose mention alone asks for them: where they are not known nothing is decided, whatever the rest
    says. Of calls only those in `states` are listed (None: all), with `call_fields` (None: every field). `answer`: which
    replies are taken for JSON, every one that is such, or objects and lists alone.
    """

    source: str
    variables: tuple[str, ...]
    scope: Scope
    needed: tuple[str, ...] = ()
    states: States | None = None
    call_fields: tuple[str, ...] | None = None
    answer: Literal["json", "structures"] = "json"
    compiled: CelExpression = field(init=False, repr=False, compare=False)
    words: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        compiled = compile_cel(self.source, {name: FACTS[name].type for name in self.variables})
        object.__setattr__(self, "compiled", compiled)
        object.__setattr__(self, "words", words_of(self.source))

    def decide(self, scene: Scene) -> Finding:
        """Open where it hangs on a fact that was not captured."""
        known = self._known(scene)
        spans = scene.job.spans[:1]
        missing = [name for name in self.needed if name in self.compiled.names and holds_unknown(known[name])]
        if missing:
            return Finding(None, _open(self.source, missing, scene, self.scope), spans)
        try:
            truth = self.compiled.evaluate(known)
        except EvaluationFailed as error:
            return Finding(False, f"{self.source}: {error.reason}", spans)
        if truth is True:
            return Finding(True, f"{self.source} holds", spans)
        if truth is None:
            open_ = [name for name, value in known.items() if holds_unknown(value)]
            return Finding(None, _open(self.source, open_, scene, self.scope), spans)
        told = ", ".join(f"{name} is {show(value)}" for name, value in known.items() if not holds_unknown(value))
        return Finding(False, f"{self.source} does not hold{f': {told}' if told else ''}", spans)

    def _known(self, scene: Scene) -> dict[str, Any]:
        """The facts that it speaks of, as far as the parameters show them."""
        fields = self.words if self.call_fields is None else self.words.intersection(self.call_fields)
        mentioned = tuple(name for name in self.variables if name in self.words)
        known = values(mentioned, scene, self.scope, fields)
        if self.answer == "structures" and not isinstance(known.get("output", UNKNOWN), Absent):
            known["output"] = structure(scene.job.reply)
        if self.states is not None and isinstance(known.get("tool_calls"), list):
            listed = zip(known["tool_calls"], scene.calls(self.scope).items, strict=True)
            known["tool_calls"] = [fact for fact, call in listed if self.states.of(call) is not False]
        return known


def _open(source: str, names: Iterable[str], scene: Scene, scope: Scope) -> str:
    lacks = "; ".join(lacking(name, scene, scope) for name in names)
    return f"whether {source} holds is not known{f': {lacks}' if lacks else ''}"
