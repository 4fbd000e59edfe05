"""What a check looks at: a run from the point of view of one of its jobs, its calls indexed once.

A check never walks the tree itself: a scene answers which calls there were in a scope, in which order, and whether the
evidence is complete, so that ten checks on a run pay for one walk.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol

from collector import tree
from grader.asking import NOBODY, Answer, Answers, Ask
from grader.outcome import Finding

Scope = Literal["tree", "job"]
"""Whose evidence counts: the job with everything below it, or its own alone."""

Names = Literal["exact", "qualified", "segment", "tool_dot_function"]
"""How a tool's name is matched, whole and case-sensitive: its own name; that or its qualified name (server and tool); where no
call has either, the last segment of a dotted name, if the other name has no dot; or the full name alone as
`<tool>.<function>`, where a call that has a qualified name is not found by its short one."""

RANK: dict[tree.Evidence, int] = {"present": 0, "partial": 1, "absent": 2, "malformed": 3}
_BY_RANK: tuple[tree.Evidence, ...] = ("present", "partial", "absent", "malformed")

_BELOW = frozenset(tree.CAPTURE_KINDS) - {"children"}
"""Kinds whose evidence over a tree is incomplete where a child job may be missing altogether."""


class Primitive(Protocol):
    """One check with all its parameters explicit. It MUST be pure, and MUST NOT know what format asked for it."""

    def decide(self, scene: "Scene") -> Finding:
        """True, False or None over all that could have happened given what was captured."""
        ...


class Calls:
    """The tool calls of a scope in order, with an index by name."""

    __slots__ = ("_exact", "_full", "_qualified", "_segments", "items")

    def __init__(self, items: list[tree.ToolCall]) -> None:
        self.items = items
        self._exact: dict[str, list[int]] = {}
        self._qualified = self._exact
        self._segments: dict[str, list[int]] | None = None
        self._full: dict[tuple[str, str], list[int]] | None = None
        for position, call in enumerate(items):
            self._exact.setdefault(call.name, []).append(position)
        if any(call.qualified is not None and call.qualified != call.name for call in items):
            self._qualified = {}
            for position, call in enumerate(items):
                for name in {call.name, call.qualified or call.name}:
                    self._qualified.setdefault(name, []).append(position)

    def named(self, tool: str, names: Names) -> Sequence[int]:
        """Positions of the calls with that name, matched in that way."""
        if names == "segment":
            return self._qualified.get(tool) or self._by_segment(tool)
        if names == "tool_dot_function":
            return self._by_function().get(tool_and_function(tool), ())
        return (self._exact if names == "exact" else self._qualified).get(tool, ())

    def _by_segment(self, tool: str) -> Sequence[int]:
        """S3-19: `math.add` is a call of `add`, and `add` one of `math.add`; of two dotted names neither is the other."""
        if self._segments is None:
            self._segments = {}
            for position, call in enumerate(self.items):
                for last in {_last(n) for n in _names(call)}:
                    self._segments.setdefault(last, []).append(position)
        last, dotted = _last(tool), "." in tool
        found = self._segments.get(last, ())
        return [p for p in found if any(_last(n) == last and ("." in n) != dotted for n in _names(self.items[p]))]

    def _by_function(self) -> dict[tuple[str, str], list[int]]:
        """By the full name of each call, made when somebody first asks."""
        if self._full is None:
            self._full = {}
            for position, call in enumerate(self.items):
                self._full.setdefault(tool_and_function(call.qualified or call.name), []).append(position)
        return self._full


def tool_and_function(name: str) -> tuple[str, str]:
    """A full name split at its last dot (S4-9): `a.b.refund` is the function `refund` of the tool `a.b`."""
    tool, _, function = name.rpartition(".")
    return tool, function


def _names(call: tree.ToolCall) -> Sequence[str]:
    return (call.name,) if call.qualified is None else (call.name, call.qualified)


def _last(name: str) -> str:
    return name.rpartition(".")[2]


class Scene:
    """A run seen from one of its jobs (the root, or a child that a `child` check looks into).

    `context` holds the facts of the fixture that the run worked on: what was given for it, else what its root carries.
    `answers` is what judges and people said when they were asked; None: nobody is asked. `sample` is what people label the
    run as: the case that is judged, where it is no policy, else the case that the run names, else its id.
    """

    __slots__ = ("_calls", "_capture", "_jobs", "_whole", "answers", "context", "job", "run", "sample")

    def __init__(
        self, run: tree.Run, job: tree.Job | None = None, context: Any = None, answers: Answers | None = None
    ) -> None:
        self.run = run
        self.answers = answers
        self.job = run.root if job is None else job
        self.context = run.root.context if context is None else context
        self.sample = run.case_name or run.id
        self._calls: dict[Scope, Calls] = {}
        self._jobs: list[tree.Job] | None = None
        self._capture: dict[str, tree.Evidence] = {}
        self._whole: bool | None = None

    def at(self, job: tree.Job) -> "Scene":
        """The same run from another job's point of view, with the same context and answers."""
        scene = Scene(self.run, job, self.context, self.answers)
        scene.sample = self.sample
        return scene

    def ask(self, ask: Ask) -> Answer:
        """What a judge or a person said; an error where it is not known (yet), and then it is noted as asked."""
        return (None if self.answers is None else self.answers.of(ask)) or NOBODY

    def jobs(self, scope: Scope) -> Sequence[tree.Job]:
        """The jobs in the scope, parents first."""
        if scope == "job":
            return (self.job,)
        if self._jobs is None:
            self._jobs = list(self.job.walk())
        return self._jobs

    def calls(self, scope: Scope) -> Calls:
        """The calls in the scope, in order."""
        known = self._calls.get(scope)
        if known is None:
            known = self._calls[scope] = Calls(_merged(self.jobs(scope)))
        return known

    def capture(self, kind: str, scope: Scope) -> tree.Evidence:
        """How much of that kind was captured over the scope's jobs: the meet, at most partial where children may be missing."""
        if scope == "job":
            own = self.job.capture.get(kind)
            return "absent" if own is None else own.state
        known = self._capture.get(kind)
        if known is None:
            known = self._capture[kind] = self._meet(kind)
        return known

    def complete(self, kind: str, scope: Scope) -> bool:
        """Whether what is not in the evidence did not happen."""
        if scope == "tree" and self._capture.get(kind) == "present":
            return True  # asked for by nearly every check
        return self.capture(kind, scope) == "present"

    def lack(self, kind: str, scope: Scope) -> str:
        """Why that evidence is not complete, for a sentence: "tool calls were not captured (no tool spans)"."""
        state = self.capture(kind, scope)
        reasons = dict.fromkeys(r for job in self.jobs(scope) for r in _reasons(job, kind))
        if scope == "tree" and kind in _BELOW and not reasons:
            reasons = dict.fromkeys(r for job in self.jobs(scope) for r in _reasons(job, "children"))
        why = f" ({', '.join(reasons)})" if reasons else ""
        name = PLAIN.get(kind, kind)
        return f"{name} {'was' if name.startswith('the ') else 'were'} {_LACKS[state]}{why}"

    def _meet(self, kind: str) -> tree.Evidence:
        """Over the job and all below it."""
        jobs = self.jobs("tree")
        states = {_state(job, kind) for job in jobs}
        worst = max([RANK[s] for s in states])
        if worst == RANK["absent"] and len(states) > 1:
            worst = RANK["partial"]  # some was seen, so it is not absent over the whole
        if worst == RANK["present"] and kind in _BELOW:
            if self._whole is None:
                self._whole = all(_state(job, "children") == "present" for job in jobs)
            worst = RANK["present" if self._whole else "partial"]
        return _BY_RANK[worst]


PLAIN = {
    "tools": "tool calls",
    "requests": "requests for calls that never ran",
    "tool_args": "tool arguments",
    "tool_results": "tool results",
    "model_calls": "model calls",
    "children": "child jobs",
    "reply": "the reply",
    "input": "the input",
    "cost": "the cost",
}
_LACKS: dict[tree.Evidence, str] = {
    "present": "captured in full",
    "partial": "captured in part only",
    "absent": "not captured",
    "malformed": "captured but cannot be read",
}


def _state(job: tree.Job, kind: str) -> tree.Evidence:
    capture = job.capture.get(kind)
    return "absent" if capture is None else capture.state


def _reasons(job: tree.Job, kind: str) -> Iterable[str]:
    capture = job.capture.get(kind)
    return () if capture is None or capture.state == "present" else capture.reasons


def _merged(jobs: Sequence[tree.Job]) -> list[tree.ToolCall]:
    """All calls in order: a job's own order stands (the normalizer's), between jobs the start time decides."""
    if len(jobs) == 1:
        return jobs[0].tool_calls
    keyed: list[tuple[int, int, int, tree.ToolCall]] = []
    for number, job in enumerate(jobs):
        latest = job.started or 0
        for call in job.tool_calls:
            if call.started is not None and call.started > latest:
                latest = call.started
            keyed.append((latest, number, len(keyed), call))
    keyed.sort()  # the third of each is its own, so calls are never compared
    return [k[3] for k in keyed]
