"""`limits`: no more than so much. What was seen is a lower bound: it can break a limit, only complete capture keeps it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from collector import tree
from grader.forms import Defaults, Form, Item
from grader.money import total
from grader.outcome import Finding, combine
from grader.patterns import canonical, show
from grader.scene import PLAIN, Primitive, Scene, Scope
from grader.wanted import STATES, State, States, lacks, times

Quantity = Literal["usd", "input_tokens", "output_tokens"]
NANOSECONDS = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCalls:
    """At most `most` tool calls in these states."""

    most: int
    states: States
    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """The calls beyond the limit are the evidence."""
        calls, of = scene.calls(self.scope).items, self.states.of
        answers = [of(c) for c in calls]
        sure = [c for a, c in zip(answers, calls, strict=True) if a is True]
        maybe = answers.count(None)
        sentence = f"{len(sure)} tool calls; the limit is {self.most}"
        return _bounded(
            scene, len(sure), maybe, self.most, sentence, self.states.kinds, self.scope, _spans(sure[self.most :])
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SameCall:
    """No call, by name and arguments, more than `most` times; arguments compare as JSON with sorted keys."""

    most: int
    states: States
    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """Calls with unknown arguments may be alike, so they leave a limit open that their name could break."""
        of = self.states.of
        counted = [c for c in scene.calls(self.scope).items if of(c) is not False]
        if len({c.name for c in counted}) == len(counted):
            worst, possible = counted[:1], len(counted[:1])
        else:
            worst, possible = self._worst(counted)
        maybe = max(0, possible - len(worst))
        if len(worst) > self.most:
            same = f"{worst[0].name} was called {times(len(worst))} with {show(worst[0].arguments)}"
            return Finding(False, f"{same}; the limit is {self.most}", _spans(worst))
        sentence = f"no call was made more than {times(max(len(worst), 1))} with the same arguments"
        return _bounded(scene, len(worst), maybe, self.most, sentence, self.states.kinds, self.scope, ())

    def _worst(self, counted: list[tree.ToolCall]) -> tuple[list[tree.ToolCall], int]:
        """The largest group of calls that are surely alike, and how many might be alike at most."""
        by_name: dict[str, list[tree.ToolCall]] = {}
        for call in counted:
            by_name.setdefault(call.name, []).append(call)
        worst: list[tree.ToolCall] = []
        possible = 0
        for calls in by_name.values():
            alike, hidden = self._alike(calls) if len(calls) > 1 else (calls, 0)
            worst = max(worst, alike, key=len)
            possible = max(possible, len(alike) + hidden)
        return worst, possible

    def _alike(self, calls: list[tree.ToolCall]) -> tuple[list[tree.ToolCall], int]:
        """The largest group of calls that are surely alike, and how many more may be."""
        groups: dict[bytes, list[tree.ToolCall]] = {}
        hidden = 0
        for call in calls:
            if call.arguments_capture != "present" or self.states.of(call) is None:
                hidden += 1
            else:
                groups.setdefault(canonical(call.arguments), []).append(call)
        return max(groups.values(), key=len, default=[]), hidden


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCalls:
    """At most `most` model calls."""

    most: int
    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """Over the jobs of the scope."""
        calls = [c for job in scene.jobs(self.scope) for c in job.model_calls]
        sentence = f"{len(calls)} model calls; the limit is {self.most}"
        spans = _spans(calls[self.most :])
        return _bounded(scene, len(calls), 0, self.most, sentence, ("model_calls",), self.scope, spans)


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """A sum over the model calls (dollars, tokens) of at most `most`. A call without the figure is unknown, never 0."""

    quantity: Quantity
    most: float
    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """Known figures add up to a lower bound."""
        field = "cost_usd" if self.quantity == "usd" else self.quantity
        calls = [c for job in scene.jobs(self.scope) for c in job.model_calls]
        figures = [getattr(c, field) for c in calls]
        known = total(f for f in figures if f is not None)
        missing = sum(f is None for f in figures)
        amount = f"${known:.6g}" if self.quantity == "usd" else f"{known:.0f} {self.quantity.replace('_', ' ')}"
        sentence = f"{amount} over {len(calls)} model calls; the limit is {self.most:g}"
        if missing and known <= self.most:
            return Finding(None, f"{sentence}; {missing} of them do not say", _spans(c for c in calls))
        return _bounded(scene, known, 0, self.most, sentence, ("model_calls",), self.scope, _spans(calls))


@dataclass(frozen=True, slots=True, kw_only=True)
class Seconds:
    """From the job's start to its end at most `most` seconds of wall clock."""

    most: float

    def decide(self, scene: Scene) -> Finding:
        """Undecided where a time was not captured. A job without a span of its own took at least as long as what was seen."""
        job = scene.job
        if job.started is None or job.ended is None:
            return Finding(
                None, f"the job's {'start' if job.started is None else 'end'} was not captured", job.spans[:1]
            )
        seconds = (job.ended - job.started) / NANOSECONDS
        sentence = f"the job took {seconds:.3g} s; the limit is {self.most:g}"
        if job.synthetic and seconds <= self.most:
            return Finding(None, f"{sentence}, and no span holds the whole job", job.spans[:1])
        if seconds <= self.most and scene.capture("model_calls", "job") == "partial":
            lost = scene.lack(
                "model_calls", "job"
            )  # so something of the job was not seen, and it may have taken longer
            return Finding(None, f"{sentence}, of what was seen: {lost}", job.spans[:1])
        return Finding(seconds <= self.most, sentence, job.spans[:1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Several limits."""

    parts: tuple[Primitive, ...]

    def decide(self, scene: Scene) -> Finding:
        """All are kept."""
        return combine([p.decide(scene) for p in self.parts])


def _bounded(
    scene: Scene,
    seen: float,
    maybe: int,
    most: float,
    sentence: str,
    kinds: tuple[str, ...],
    scope: Scope,
    spans: Sequence[str],
) -> Finding:
    if seen > most:
        return Finding(False, sentence, spans)
    for kind in kinds:
        if not scene.complete(kind, scope):
            return Finding(None, f"{sentence}; {lacks(scene, scope, kind)}", spans)
    if seen + maybe > most:
        return Finding(
            None, f"{sentence}; {maybe} more may count, {PLAIN['tool_args']} or states were not captured", spans
        )
    return Finding(True, sentence, spans)


def _spans(calls: Any) -> list[str]:
    return [s for c in calls for s in c.spans]


class Most(Form):
    """No more than these; each limit is inclusive."""

    tool_calls: int | None = Field(default=None, ge=0, description="Tool calls, in the check's state.")
    same_call: int | None = Field(default=None, ge=1, description="Calls with the same name and the same arguments.")
    model_calls: int | None = Field(default=None, ge=0)
    usd: int | float | None = Field(default=None, ge=0, description="Dollars over all model calls.")
    seconds: int | float | None = Field(default=None, ge=0, description="Wall clock from the job's start to its end.")
    input_tokens: int | None = Field(default=None, ge=0)
    output_tokens: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _some(self) -> "Most":
        if not self.model_fields_set:
            raise ValueError(f"say at least one of {', '.join(type(self).model_fields)}")
        return self

    def parts(self, states: States, scope: Scope) -> list[Primitive]:
        """One primitive a limit, in a fixed order."""
        parts: list[Primitive] = []
        if self.tool_calls is not None:
            parts.append(ToolCalls(most=self.tool_calls, states=states, scope=scope))
        if self.same_call is not None:
            parts.append(SameCall(most=self.same_call, states=states, scope=scope))
        if self.model_calls is not None:
            parts.append(ModelCalls(most=self.model_calls, scope=scope))
        if self.seconds is not None:
            parts.append(Seconds(most=self.seconds))
        totals: tuple[Quantity, ...] = ("usd", "input_tokens", "output_tokens")
        return parts + [
            Total(quantity=q, most=getattr(self, q), scope=scope) for q in totals if getattr(self, q) is not None
        ]


class LimitsItem(Item):
    """No more than so many calls, dollars, seconds."""

    KEY: ClassVar[str] = "limits"

    limits: Most
    state: State | None = Field(default=None, description="Which tool calls count; default attempted.")

    def compile(self, defaults: Defaults) -> Primitive:
        """One primitive, or several together."""
        parts = self.limits.parts(STATES[self.state or defaults.state], self.scope or defaults.scope)
        return parts[0] if len(parts) == 1 else Limits(parts=tuple(parts))

    def label(self) -> str:
        """With what is limited."""
        return f"limits {', '.join(sorted(self.limits.model_fields_set))}"


FORMS = (LimitsItem,)
