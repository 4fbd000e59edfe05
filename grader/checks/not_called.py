"""`not_called`: none of these tools was called. One call refutes it; only complete capture of calls proves it."""

from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field

from grader.forms import CallItem, Defaults, Raw, Texts, open_fields
from grader.outcome import Finding
from grader.scene import Primitive, Scene, Scope
from grader.wanted import Wanted, complete, lack, times


@dataclass(frozen=True, slots=True, kw_only=True)
class Absent:
    """No call counts for any of `wanted`."""

    wanted: tuple[Wanted, ...]
    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """A call that surely counts is a violation; one that may, or calls that were not captured, leave it open."""
        open_: list[str] = []
        spans: list[str] = []
        for wanted in self.wanted:
            sifted = wanted.sift(scene, self.scope)
            if sifted.sure:
                sentence = f"{wanted.tell()} was called {times(len(sifted.sure))}; expected never"
                return Finding(False, sentence, sifted.spans(sifted.sure))
            if sifted.maybe:
                open_.append(f"{wanted.tool} was called, and the evidence does not tell whether as {wanted.tell()}")
                spans += sifted.spans(sifted.maybe)
        if open_:
            return Finding(None, "; ".join(open_), spans)
        names = ", ".join(w.tell() for w in self.wanted)
        if not complete(scene, self.scope, *self.wanted):
            return Finding(None, f"whether {names} was called is not known: {lack(scene, self.scope, *self.wanted)}")
        return Finding(True, f"{names} was never called")


class NotCalled(CallItem):
    """None of these tools was called."""

    KEY: ClassVar[str] = "not_called"

    not_called: Texts = Field(description="A name or several.")
    with_: dict[str, Raw] | None = Field(
        default=None, alias="with", description="Only calls with these arguments count."
    )

    def compile(self, defaults: Defaults) -> Primitive:
        """Absent, one entry a tool."""
        arguments = open_fields(self.with_)
        wanted = tuple(self.wanted(defaults, tool, arguments) for tool in self.not_called)
        return Absent(wanted=wanted, scope=self.scope or defaults.scope)

    def label(self) -> str:
        """With the names."""
        return f"not_called {', '.join(self.not_called)}"


FORMS = (NotCalled,)
