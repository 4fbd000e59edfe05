"""`without_fixture`: a check for a case that builds no fixture, so that its facts are known to be none."""

from dataclasses import dataclass

from grader.outcome import Finding
from grader.scene import Primitive, Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutFixture:
    """`then` sees an empty context where none was recorded or given: there was nothing to record (S3-7)."""

    then: Primitive

    def decide(self, scene: Scene) -> Finding:
        """What `then` decides."""
        if scene.context is not None:
            return self.then.decide(scene)
        return self.then.decide(Scene(scene.run, scene.job, {}))


FORMS = ()
