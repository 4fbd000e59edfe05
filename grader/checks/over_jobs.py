"""A check over a whole tree that says so: for vocabularies that know one run, where the run has jobs below it."""

from dataclasses import dataclass

from grader.outcome import Finding
from grader.scene import Primitive, Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class OverJobs:
    """`then` as it decides; its sentence tells over how many jobs."""

    then: Primitive

    def decide(self, scene: Scene) -> Finding:
        """Nothing is added to a run of one job."""
        finding = self.then.decide(scene)
        jobs = len(scene.jobs("tree"))
        if jobs > 1:
            finding.sentence += f" (counted over all {jobs} jobs of the run)"
        return finding


FORMS = ()
