"""Approvals of a case that answers none: nobody would have been there, so one that waited for a person fails it (S4-21).

It asks for no evidence of its own: a case that says nothing of approvals does not need them to be captured.
"""

from dataclasses import dataclass

from grader.outcome import Finding
from grader.scene import Scene, Scope

_PERSONS = ("human", "unknown")
"""Whose decisions somebody waited for; what a policy decides by itself waits for nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalLeft:
    """No approval waited for a person. `why` is what a runner says of one that did."""

    why: str
    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """One that was seen refutes it, however it was decided."""
        seen = [a for job in scene.jobs(self.scope) for a in job.approvals]
        waited = [a for a in seen if a.source in _PERSONS or a.decision == "pending"]
        if not waited:
            return Finding(True, "no approval was seen to wait for a person")
        names = ", ".join(dict.fromkeys(a.tool or f"an approval ({a.kind})" for a in waited))
        spans = [s for a in waited for s in a.spans]
        return Finding(False, f"{names} waited for a person (recorded: {waited[0].decision}); {self.why}", spans)


FORMS = ()
