"""Conditions on the facts of a job, in one of the two expression languages: primitives that several checks share."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from grader.expressions.cel import CelExpression, EvaluationFailed, compile_cel
from grader.expressions.dsl import Expression, compile_dsl
from grader.facts import FACTS, holds_unknown, lacking, values, words_of
from grader.outcome import Finding
from grader.patterns import dig, show
from grader.scene import Scene, Scope


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
        truth = self.compiled.evaluate(known)
        spans = scene.job.spans[:1]
        if truth is True:
            return Finding(True, f"{self.source} holds", spans)
        open_ = [root for root, value in known.items() if holds_unknown(value)]
        if truth is None and open_:
            return Finding(None, _open(self.source, open_, scene, self.scope), spans)
        paths = [n for n in sorted(self.compiled.names) if not any(o.startswith(f"{n}.") for o in self.compiled.names)]
        found = [(path, *dig(known[path.partition(".")[0]], path.split(".")[1:])) for path in paths]
        told = ", ".join(f"{path} is {show(value) if there else 'not there'}" for path, value, there in found)
        return Finding(False, f"{self.source} does not hold{f': {told}' if told else ''}", spans)


@dataclass(frozen=True, slots=True, kw_only=True)
class CelCondition:
    """A CEL expression over these facts. An evaluation that goes wrong fails, with the reason (S4-6)."""

    source: str
    variables: tuple[str, ...]
    scope: Scope
    compiled: CelExpression = field(init=False, repr=False, compare=False)
    words: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        compiled = compile_cel(self.source, {name: FACTS[name].type for name in self.variables})
        object.__setattr__(self, "compiled", compiled)
        object.__setattr__(self, "words", words_of(self.source))

    def decide(self, scene: Scene) -> Finding:
        """Open where it hangs on a fact that was not captured."""
        mentioned = tuple(name for name in self.variables if name in self.words)
        known = values(mentioned, scene, self.scope, self.words)
        spans = scene.job.spans[:1]
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


def _open(source: str, names: Iterable[str], scene: Scene, scope: Scope) -> str:
    lacks = "; ".join(lacking(name, scene, scope) for name in names)
    return f"whether {source} holds is not known{f': {lacks}' if lacks else ''}"
