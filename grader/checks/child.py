"""`child`: a job that this one triggered. Each trigger is judged on its own; one that satisfies everything is enough."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import AfterValidator, Field, model_validator

from collector import tree
from grader.condition import Condition
from grader.expressions.dsl import compile_dsl
from grader.facts import OF_A_PAYLOAD
from grader.forms import Defaults, Item, Text, Times
from grader.names import Named
from grader.outcome import Finding, Truth, every
from grader.scene import Primitive, Scene
from grader.triggers import Trigger, triggered
from grader.wanted import NOT_STOPPED, times
from grader.wanted import complete as everything_known
from grader.wanted import lack as lack_of_calls

if TYPE_CHECKING:
    AnyItem = Item
    """Any check that may stand in `expect`; grader/schema.py makes the union of all of them at run time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """Between `least` and `most` direct children by that agent (in that mode), one of which satisfies all of `body`.

    Calls of `triggers` count as children as well where the job that they triggered is not seen.
    """

    agent: str
    least: int
    most: int | None
    mode: tree.Mode | None
    body: tuple[Primitive, ...]
    triggers: tuple[Trigger, ...] = ()

    def decide(self, scene: Scene) -> Finding:
        """A job without an agent's name, or a mode not captured, may be meant; jobs not seen may exist."""
        lossy = _lossy(scene.job)
        judged = [(self._meant(j, lossy=lossy), j) for j in triggered(scene, self.triggers)]
        sure = [j for a, j in judged if a is True]
        maybe = [j for a, j in judged if a is None]
        lack = self._lack(scene)
        count = self._count(len(sure), len(maybe), complete=not lack)
        spans = [s for j in sure for s in j.spans[:1]]
        what = f"{self.agent}{f' ({self.mode})' if self.mode else ''}"
        if count is not True:
            return Finding(count, self._counted(what, judged, lack), spans)
        if not self.body or (self.most == 0):
            return Finding(True, f"{what} {_triggered(len(sure))}", spans)
        return self._bodies(scene, what, sure, maybe, lack)

    def _lack(self, scene: Scene) -> str:
        """Why a child may be missing from those that are known; "": none is. A call that is not seen may have triggered one."""
        if not scene.complete("children", "job"):
            return f"; {scene.lack('children', 'job')}"
        if self.triggers and not everything_known(scene, "job", NOT_STOPPED):
            return f"; {lack_of_calls(scene, 'job', NOT_STOPPED)}"
        return ""

    def mentioned(self) -> Iterable[Named]:
        """The agent, whom the body is about."""
        return (Named("agent", self.agent, inside=True),)

    def _meant(self, job: tree.Job, *, lossy: bool) -> Truth:
        agent: Truth = None if job.agent is None else job.agent == self.agent
        if agent and lossy and job.via == "agent":
            agent = None  # whoever triggered it may be what is missing between the two
        if self.mode is None:
            return agent
        mode = job.delegation.mode if job.delegation else None
        return every((agent, None if mode is None else mode == self.mode))

    def _count(self, sure: int, maybe: int, *, complete: bool) -> Truth:
        if self.most is not None and sure > self.most:
            return False
        if complete and sure + maybe < self.least:
            return False
        enough = sure >= self.least
        return True if enough and (self.most is None or (complete and sure + maybe <= self.most)) else None

    def _counted(self, what: str, judged: list[tuple[Truth, tree.Job]], lack: str) -> str:
        sure, maybe = (sum(a is truth for a, _ in judged) for truth in (True, None))
        bounds = f"at least {self.least}" if self.most is None else f"{self.least} to {self.most}"
        others = sorted({j.agent for _, j in judged if j.agent and j.agent != self.agent})
        seen = f"; triggered were {', '.join(others)}" if others else ""
        doubt = f"; {maybe} more may be meant (agent or mode not captured)" if maybe else ""
        return f"{what} {_triggered(sure)}; expected {bounds}{seen}{doubt}{lack}"

    def _held(self, scene: Scene) -> list[Finding]:
        """All that is expected, over one index of the child's calls."""
        return [p.decide(scene) for p in self.body]

    def _bodies(self, scene: Scene, what: str, sure: list[tree.Job], maybe: list[tree.Job], lack: str) -> Finding:
        """The child that came closest tells the miss."""
        if not sure and not maybe:
            return Finding(None if lack else True, f"{what} was never triggered, as it may be{lack}")
        answers = [(j, self._held(scene.at(j))) for j in [*sure, *maybe]]
        best, held = max(answers, key=lambda a: _merit(a[1]))
        truth = every(f.truth for f in held)
        spans = [s for f in held for s in f.spans] or best.spans[:1]
        if truth is True and best in sure:
            return Finding(True, f"{what} did all {len(held)} things expected", spans)
        misses = "; ".join(f.sentence for f in held if f.truth is not True) or "its agent or mode is not known"
        sentence = f"no {what} did all that is expected; the nearest: {misses}"
        if lack:
            return Finding(None, f"{sentence}{lack}", spans)
        open_ = any(every(f.truth for f in a) is not False for _, a in answers)
        return Finding(None if open_ else False, sentence, spans, sum(f.truth is True for f in held) / len(held))


def _lossy(job: tree.Job) -> bool:
    """Whether a span is missing among those of the job."""
    capture = job.capture.get("children")
    return capture is not None and "parent_missing" in capture.reasons


def _triggered(number: int) -> str:
    return f"was triggered {times(number)}" if number else "was never triggered"


def _merit(findings: list[Finding]) -> tuple[int, int, int]:
    truths = [f.truth for f in findings]
    return (-truths.count(False), truths.count(True), -truths.count(None))


def _payload(source: str) -> str:
    compile_dsl(source, OF_A_PAYLOAD)
    return source


class ChildItem(Item):
    """A job that this one triggered; one such job must satisfy all of `expect`, which may hold further children."""

    KEY: ClassVar[str] = "child"

    child: Text = Field(description="The child's agent name.")
    triggered: Times | None = Field(default=None, description="How often; without it at least once.")
    mode: tree.Mode | None = Field(default=None, description="Only jobs triggered this way.")
    payload: Annotated[Text, AfterValidator(_payload)] | None = Field(
        default=None, description="A condition on payload, payload_raw and context, of the same job as `expect`."
    )
    expect: Annotated[list["AnyItem"], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _somebody(self) -> "ChildItem":
        if self.triggered is not None and self.triggered.max == 0 and (self.payload or self.expect):
            raise ValueError("triggered allows no such job, so there is none of which payload or expect could hold")
        return self

    def compile(self, defaults: Defaults) -> Primitive:
        """The nested items compile with the same defaults; the payload is one more condition on the same job."""
        least, most = (1, None) if self.triggered is None else (self.triggered.min or 0, self.triggered.max)
        body = tuple(i.compile(defaults) for i in self.expect or () if i.GRADED)
        if self.payload is not None:
            body = (Condition(source=self.payload, roots=OF_A_PAYLOAD, scope="job"), *body)
        return Child(agent=self.child, least=least, most=most, mode=self.mode, body=body)

    def children(self) -> tuple[Item, ...]:
        """What the child must satisfy."""
        return tuple(self.expect or ())


FORMS = (ChildItem,)
