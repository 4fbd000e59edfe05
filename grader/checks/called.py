"""`called`: how often a tool was called. Decided by witnesses where they suffice, by complete capture where they do not."""

from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field, model_validator

from grader.forms import CallItem, Defaults, Raw, Text, Times, closed_fields, open_fields
from grader.nearest_call import nearest_call
from grader.outcome import Finding
from grader.scene import Primitive, Scene, Scope
from grader.wanted import Sifted, Wanted, lack, listing, times
from grader.wanted import complete as everything_known


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """Between `least` and `most` calls count (`most` None: no upper bound)."""

    wanted: Wanted
    least: int
    most: int | None
    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """Calls seen are a lower bound; an upper bound needs every call and every argument to be captured."""
        sifted = self.wanted.sift(scene, self.scope)
        complete = everything_known(scene, self.scope, self.wanted)
        low, high = len(sifted.sure), len(sifted.sure) + len(sifted.maybe)
        seen = [*sifted.sure, *sifted.maybe] or list(sifted.named)
        if self.most is not None and low > self.most:
            return Finding(False, self._miss(sifted, complete), sifted.spans(sifted.sure))
        if low >= self.least and (self.most is None or (complete and high <= self.most)):
            return Finding(True, f"{self.wanted.tell()} was called {times(low)}", sifted.spans(sifted.sure))
        if complete and high < self.least:
            return Finding(False, self._miss(sifted, complete), sifted.spans(seen))
        return Finding(None, self._open(scene, sifted, complete), sifted.spans(seen))

    def expected(self) -> str:
        """For a sentence: "exactly once", "at least twice"."""
        if self.most == self.least:
            return f"exactly {times(self.least)}" if self.least else "never"
        if self.most is None:
            return f"at least {times(self.least)}"
        return f"between {self.least} and {self.most} times" if self.least else f"at most {times(self.most)}"

    def _miss(self, sifted: Sifted, complete: bool) -> str:
        wanted, found = self.wanted, len(sifted.sure)
        if not sifted.named:
            return f"{wanted.tool} was never called; {listing(sifted.calls.items)}"
        near = [p for p in sifted.named if p not in sifted.sure and p not in sifted.maybe]
        if not found and near:
            return self._nearest(sifted, near, complete)
        return f"{wanted.tell()} was called {times(found)}; expected {self.expected()}"

    def _nearest(self, sifted: Sifted, near: list[int], complete: bool) -> str:
        """The call that came closest, and what kept it from counting."""
        head = f"{self.wanted.tool} was called {times(len(sifted.named))}"
        head += ", " if len(sifted.named) == 1 else "; the nearest call was "
        return head + nearest_call(self.wanted, sifted.calls, near, complete=complete)[1]

    def _open(self, scene: Scene, sifted: Sifted, complete: bool) -> str:
        head = f"{self.wanted.tell()} was seen {times(len(sifted.sure))}; expected {self.expected()}"
        if sifted.maybe and complete:
            call = sifted.calls.items[sifted.maybe[0]]
            what = (
                "its success was not captured" if self.wanted.states.of(call) is None else "its arguments are not known"
            )
            return f"{head}; {times(len(sifted.maybe))} more it may have been: {what}"
        return f"{head}; {lack(scene, self.scope, self.wanted)}"


class Called(CallItem):
    """A tool was called: at least once, or as often as `times` says."""

    KEY: ClassVar[str] = "called"

    called: Text = Field(description="The tool's name, or its qualified name (server and tool).")
    times: Times | None = Field(
        default=None, description="Exactly so often, or { min, max }; without it at least once."
    )
    with_: dict[str, Raw] | None = Field(default=None, alias="with", description="These arguments; others are free.")
    with_exactly: dict[str, Raw] | None = Field(default=None, description="These arguments and no others.")

    @model_validator(mode="after")
    def _one_filter(self) -> "Called":
        if self.with_ is not None and self.with_exactly is not None:
            raise ValueError("'with' and 'with_exactly' exclude each other")
        return self

    def compile(self, defaults: Defaults) -> Primitive:
        """Count with both bounds explicit."""
        arguments = open_fields(self.with_) if self.with_exactly is None else closed_fields(self.with_exactly)
        bounds: dict[str, Any] = {"least": 1, "most": None}
        if self.times is not None:
            bounds = {"least": self.times.min or 0, "most": self.times.max}
        return Count(wanted=self.wanted(defaults, self.called, arguments), scope=self.scope or defaults.scope, **bounds)


FORMS = (Called,)
