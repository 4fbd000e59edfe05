"""Approvals of a case that answers none: nobody would have been there, so one that waited for an answer fails it (S4-21).

It asks for no evidence of its own: a case that says nothing of approvals does not need them to be captured.
"""

from dataclasses import dataclass

from grader.approvals import waited
from grader.outcome import Finding
from grader.scene import Scene, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalLeft:
    """No approval waited for an answer. `why` is what a runner says of one that did."""

    why: str
    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """One that was seen refutes it, however it was decided."""
        seen = [a for job in scene.jobs(self.scope) for a in job.approvals]
        left = [a for a in seen if waited(a)]
        if not left:
            return Finding(True, "no approval was seen to wait for an answer")
        names = ", ".join(dict.fromkeys(a.tool or f"an approval ({a.kind})" for a in left))
        spans = [s for a in left for s in a.spans]
        return Finding(False, f"{names} waited for an answer (recorded: {left[0].decision}); {self.why}", spans)


FORMS = ()
