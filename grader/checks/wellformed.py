"""A guard: evidence of a kind that holds anything unreadable is no evidence, not even for what could be read of it."""

from dataclasses import dataclass

from grader.outcome import Finding
from grader.scene import Primitive, Scene, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Wellformed:
    """`then` decides, unless the evidence of that kind is malformed anywhere in the scope."""

    kind: str
    scope: Scope
    then: Primitive

    def decide(self, scene: Scene) -> Finding:
        """Malformed evidence leaves everything open."""
        if scene.capture(self.kind, self.scope) == "malformed":
            return Finding(None, scene.lack(self.kind, self.scope), scene.job.spans[:1])
        return self.then.decide(scene)


FORMS = ()
