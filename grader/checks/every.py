"""`every … preceded_by`: each call has an earlier call of the other. Universal: only complete capture decides it.

An unseen call could break it, an unseen earlier call could save it, so with incomplete capture neither answer is known.
"""

from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field

from grader.forms import CallItem, Defaults, Raw, Text, open_fields
from grader.outcome import Finding
from grader.scene import Primitive, Scene, Scope
from grader.wanted import Wanted, complete, lack


@dataclass(frozen=True, slots=True, kw_only=True)
class Precedes:
    """Before every call of `after` stands a call of `before`."""

    after: Wanted
    before: Wanted
    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """The first call without a predecessor is the miss."""
        after, before = self.after.sift(scene, self.scope), self.before.sift(scene, self.scope)
        rule = f"every {self.after.tell()} is preceded by {self.before.tell()}"
        sure_from = min(before.sure, default=None)
        bare = [p for p in after.sure if sure_from is None or p <= sure_from]
        doubtful = [p for p in after.maybe if sure_from is None or p <= sure_from]
        if not complete(scene, self.scope, self.after, self.before):
            why = lack(scene, self.scope, self.after, self.before)
            return Finding(None, f"whether {rule} is not known: {why}", after.spans(bare))
        maybe_from = min([*before.sure, *before.maybe], default=None)
        broken = [p for p in bare if maybe_from is None or p <= maybe_from]
        if broken:
            place = f"call {broken[0] + 1} of the run"
            sentence = f"{self.after.tell()} was called before any {self.before.tell()} ({place}); expected one earlier"
            return Finding(False, sentence, after.spans(broken[:1]))
        if bare or doubtful:
            return Finding(
                None, f"whether {rule} is not known: states or arguments were not captured", after.spans(bare)
            )
        if not after.sure and not after.maybe:
            return Finding(True, f"{self.after.tell()} was never called, so nothing had to precede it")
        return Finding(True, rule, after.spans([*before.sure[:1], *after.sure]))


class Every(CallItem):
    """Before every such call stands a call of `preceded_by`."""

    KEY: ClassVar[str] = "every"

    every: Text = Field(description="The tool of which every call is looked at.")
    with_: dict[str, Raw] | None = Field(default=None, alias="with", description="Only calls with these arguments.")
    preceded_by: Text = Field(description="The tool that must have been called earlier.")

    def compile(self, defaults: Defaults) -> Primitive:
        """Precedes; the same states count for both."""
        return Precedes(
            after=self.wanted(defaults, self.every, open_fields(self.with_)),
            before=self.wanted(defaults, self.preceded_by),
            scope=self.scope or defaults.scope,
        )

    def label(self) -> str:
        """With both names."""
        return f"every {self.every} preceded_by {self.preceded_by}"


FORMS = (Every,)
