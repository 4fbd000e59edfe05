"""A guard: the run is there from its root on. Without the span that it began with, nothing tells what it was asked."""

from dataclasses import dataclass

from grader.outcome import Finding
from grader.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Rooted:
    """The root job has a span of its own, or activity that nothing stands above."""

    def decide(self, scene: Scene) -> Finding:
        """Undecided where the span above what was seen is missing."""
        root = scene.run.root
        cut = root.synthetic and any("parent_missing" in c.reasons for c in root.capture.values())
        if cut:
            return Finding(None, "the root span of the run is missing: its trace is not complete", root.spans[:1])
        return Finding(True, "the run was recorded from its root", root.spans[:1])


FORMS = ()
