"""`approved`: each call of a tool has an approval that was decided for it. Universal, so only complete capture proves it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field

from collector.tree import Approval, Decider, Job, ToolCall
from grader.forms import CallItem, Defaults, Raw, Text, open_fields
from grader.outcome import Finding, Truth
from grader.scene import Primitive, Scene, Scope
from grader.wanted import Wanted, complete, lack, listing, times

By = Literal["human", "policy", "any"]

DECIDERS: dict[By, frozenset[Decider]] = {
    "human": frozenset({"human"}),
    "policy": frozenset({"policy", "auto"}),
    "any": frozenset({"human", "policy", "auto", "unknown"}),
}
"""Who counts; an automatic decision is one that some policy made."""

MISSING = "has no approval"
_SAYS = {"reject": "was rejected", "timeout": "timed out", "pending": "is pending"}

Answer = tuple[ToolCall, Truth, str, list[str]]
"""A call, whether it was approved, the sentence, and the spans that tell of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approved:
    """Every call that counts for `wanted` has an approval decided approve or edit, by one of `by`."""

    wanted: Wanted
    by: By
    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """One call without its approval refutes it; calls or approvals that were not captured leave it open."""
        sifted = self.wanted.sift(scene, self.scope)
        seen = scene.complete("approvals", self.scope)
        items = sifted.calls.items
        counted = {id(items[p]) for p in sifted.sure}
        answers = [a for job in scene.jobs(self.scope) for a in self._job(job, counted)]
        for truth in (False, None):
            for call, answer, why, spans in answers:
                if answer is truth and not (truth is False and why == MISSING and not seen):
                    return Finding(truth, f"a call of {self.wanted.tell()} {why}", [*call.spans, *spans])
        lone = next((call for call, answer, _, _ in answers if answer is False), None)
        if lone is not None:
            why = scene.lack("approvals", self.scope)
            return Finding(None, f"a call of {self.wanted.tell()} {MISSING}; {why}", lone.spans)
        return self._all(scene, len(answers), len(sifted.maybe), [s for _, _, _, spans in answers for s in spans])

    def _all(self, scene: Scene, number: int, maybe: int, spans: list[str]) -> Finding:
        """Every call that was seen is approved: whether these are all."""
        who = "" if self.by == "any" else f" by {self.by}"
        held = f"{self.wanted.tell()} was called {times(number)}" + (f", each time approved{who}" if number else "")
        if not complete(scene, self.scope, self.wanted):
            return Finding(None, f"{held}; {lack(scene, self.scope, self.wanted)}", spans)
        if maybe:
            return Finding(None, f"{held}; {maybe} more may be meant: states or arguments were not captured", spans)
        if not number:
            made = listing(scene.calls(self.scope).items)
            return Finding(False, f"{self.wanted.tell()} was never called, so nothing was approved; {made}")
        return Finding(True, held, spans)

    def _job(self, job: Job, counted: set[int]) -> Iterator[Answer]:
        """The answer for each call of a job that counts, by the approvals of its id, else by those of its tool."""
        known = {call.call_id for call in job.tool_calls if call.call_id is not None}
        by_id: dict[str, list[Approval]] = {}
        for approval in job.approvals:
            if approval.call_id in known:
                by_id.setdefault(approval.call_id or "", []).append(approval)
        others: dict[str, list[ToolCall]] = {}
        for call in job.tool_calls:
            if call.call_id is not None and call.call_id in by_id:
                if id(call) in counted:
                    yield call, *self._judge(by_id[call.call_id])
            else:
                others.setdefault(call.name, []).append(call)
        for calls in others.values():
            if any(id(call) in counted for call in calls):
                names = {calls[0].name, calls[0].qualified}
                loose = [a for a in job.approvals if a.call_id is None and a.tool in names]
                yield from self._loose(calls, [c for c in calls if id(c) in counted], loose)

    def _loose(self, calls: list[ToolCall], counted: list[ToolCall], loose: list[Approval]) -> Iterator[Answer]:
        """Approvals without a call's id: any of them may be any call's, so only what holds of all is known of one."""
        if len(loose) < len(counted):
            yield from ((call, False, MISSING, []) for call in counted)
            return
        answers = [self._judge([approval]) for approval in loose]
        spans = [s for approval in loose for s in approval.spans]
        refused = next((a for a in answers if a[0] is False), None)
        one_each = len(loose) == len(calls) == len(counted)
        if refused is not None and (one_each or all(a[0] is False for a in answers)):
            yield from ((call, *refused) for call in counted)
        elif len(loose) >= len(calls) and all(a[0] is True for a in answers):
            yield from ((call, True, "", spans) for call in counted)
        else:
            yield from (
                (call, None, "has an approval, which of those recorded is not known", spans) for call in counted
            )

    def _judge(self, approvals: list[Approval]) -> tuple[Truth, str, list[str]]:
        """What is told of one call: the truth, the sentence and the spans. One refusal among several counts."""
        told = [s for a in approvals for s in a.spans]
        refused = next((a for a in approvals if a.decision not in ("approve", "edit")), None)
        if refused is not None:
            return False, f"has an approval that {_SAYS[refused.decision]}", told
        if any(a.source in DECIDERS[self.by] for a in approvals):
            return True, "", told
        if any(a.source == "unknown" for a in approvals):
            return None, f"was approved, by whom is not known; expected {self.by}", told
        return False, f"was approved by {approvals[0].source}; expected {self.by}", told


class ApprovedItem(CallItem):
    """Each call of this tool was approved (or edited and approved) before it counted."""

    KEY: ClassVar[str] = "approved"

    approved: Text = Field(description="The tool's name, or its qualified name.")
    by: By = Field(
        default="any", description="human: policy and automatic decisions do not count; policy: only those; any."
    )
    with_: dict[str, Raw] | None = Field(default=None, alias="with", description="Only calls with these arguments.")

    def compile(self, defaults: Defaults) -> Primitive:
        """Approved, in the check's states."""
        wanted = self.wanted(defaults, self.approved, open_fields(self.with_))
        return Approved(wanted=wanted, by=self.by, scope=self.scope or defaults.scope)

    def label(self) -> str:
        """With who decides."""
        return f"approved {self.approved}" + ("" if self.by == "any" else f" by {self.by}")


FORMS = (ApprovedItem,)
