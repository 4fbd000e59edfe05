"""A guard: a check on the reply fails where the reply is not all there, whatever the check itself would make of that."""

from dataclasses import dataclass

from grader.outcome import Finding
from grader.scene import Primitive, Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyFirst:
    """`then` decides where the reply was captured in full."""

    then: Primitive

    def decide(self, scene: Scene) -> Finding:
        """A missing reply refutes; it does not leave open."""
        if scene.complete("reply", "job"):
            return self.then.decide(scene)
        return Finding(False, f"this needs the reply: {scene.lack('reply', 'job')}", scene.job.spans[:1])


FORMS = ()
