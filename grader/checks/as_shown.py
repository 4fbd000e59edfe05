"""What was approved is what ran: an approval binds to the arguments that it showed (S4-24)."""

from collections.abc import Iterator
from dataclasses import dataclass

from collector.tree import Approval, ToolCall
from grader.outcome import Finding, Truth, every
from grader.patterns import equal, show
from grader.scene import Scene, Scope

_RAN = ("answered", "succeeded", "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class AsShown:
    """Each call that was approved as it stood ran with the arguments that its approval showed."""

    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """An approval that shows no arguments binds to none; edits are another check's business."""
        answers = list(self._answers(scene))
        truth = every(t for t, _, _ in answers)
        telling = [(said, spans) for t, said, spans in answers if t is truth]
        sentence = (
            "; ".join(said for said, _ in telling) or "no approval showed arguments that were approved as they stood"
        )
        return Finding(truth, sentence, [s for _, spans in telling for s in spans])

    def _answers(self, scene: Scene) -> Iterator[tuple[Truth, str, list[str]]]:
        for job in scene.jobs(self.scope):
            calls = {call.call_id: call for call in job.tool_calls if call.call_id}
            for one in job.approvals:
                call = calls.get(one.call_id or "")
                if one.decision == "approve" and one.requested_arguments is not None and call and call.state in _RAN:
                    yield _compared(one, call)


def _compared(one: Approval, call: ToolCall) -> tuple[Truth, str, list[str]]:
    spans = [*call.spans, *one.spans]
    if call.arguments_capture != "present":
        return None, f"{call.name} was approved, and with which arguments it ran was not captured", spans
    if equal(call.arguments, one.requested_arguments):
        return True, f"{call.name} ran with the arguments that were approved", spans
    shown = f"the approval showed {show(one.requested_arguments)}"
    return False, f"{call.name} ran with {show(call.arguments)}; {shown}, and an answer binds to what is shown", spans


FORMS = ()
