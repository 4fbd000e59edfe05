"""`waited`: whoever triggered the job waited for its answer, so that what it did can be held against the case."""

from dataclasses import dataclass

from grader.outcome import Finding
from grader.scene import Scene

_HOW = {
    "fire_and_forget": "was fire-and-forget",
    "scheduled": "was scheduled for later",
    "pass_control": "was handed the control over",
}


@dataclass(frozen=True, slots=True)
class Waited:
    """`advice` says how a run is made in which the answer is waited for."""

    advice: str

    def decide(self, scene: Scene) -> Finding:
        """Open where the mode of the trigger was not captured."""
        job = scene.job
        mode = job.delegation.mode if job.delegation else None
        spans = job.spans[:1]
        if mode == "waited":
            return Finding(True, "its answer was waited for", spans)
        if mode is None:
            return Finding(None, f"whether its answer was waited for was not captured; {self.advice}", spans)
        return Finding(False, f"it {_HOW[mode]}; {self.advice}", spans)


FORMS = ()
