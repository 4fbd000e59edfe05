"""For vocabularies that know one run: its own evidence, or the whole tree where jobs are seen below it, which is then said."""

from dataclasses import dataclass

from grader.outcome import Finding
from grader.scene import Primitive, Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class OverJobs:
    """`own` decides a run of one job, `tree` one that has jobs below; the sentence tells over how many.

    Where nothing tells of jobs below, the run is taken as the one that it is seen as. Where some are visibly missing
    (`children` captured in part), `tree` decides, to which they may have belonged.
    """

    own: Primitive
    tree: Primitive

    def decide(self, scene: Scene) -> Finding:
        """One of the two."""
        jobs = len(scene.jobs("tree"))
        if jobs == 1 and scene.capture("children", "job") in ("present", "absent"):
            return self.own.decide(scene)
        finding = self.tree.decide(scene)
        if jobs > 1:
            finding.sentence += f" (counted over all {jobs} jobs of the run)"
        return finding


FORMS = ()
