"""What a check looks at: a run from the point of view of one of its jobs, its calls indexed once.

A check never walks the tree itself: a scene answers which calls there were in a scope, in which order, and whether the
evidence is complete, so that ten checks on a run pay for one walk.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol

from collector import tree
from grader.outcome import Finding

Scope = Literal["tree", "job"]
"""Whose evidence counts: the job with everything below it, or its own alone."""

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

    __slots__ = ("_exact", "_qualified", "items")

    def __init__(self, items: list[tree.ToolCall]) -> None:
        self.items = items
        self._exact: dict[str, list[int]] = {}
        self._qualified = self._exact
        for position, call in enumerate(items):
            self._exact.setdefault(call.name, []).append(position)
        if any(call.qualified is not None and call.qualified != call.name for call in items):
            self._qualified = {}
            for position, call in enumerate(items):
                for name in {call.name, call.qualified or call.name}:
                    self._qualified.setdefault(name, []).append(position)

    def named(self, tool: str, names: Literal["exact", "qualified"]) -> Sequence[int]:
        """Positions of the calls with that name; "qualified" takes the qualified name (server and tool) as well."""
        return (self._exact if names == "exact" else self._qualified).get(tool, ())


class Scene:
    """A run seen from one of its jobs (the root, or a child that a `child` check looks into).

    `context` holds the facts of the fixture that the run worked on: what was given for it, else what its root carries.
    """

    __slots__ = ("_calls", "_capture", "_jobs", "_whole", "context", "job", "run")

    def __init__(self, run: tree.Run, job: tree.Job | None = None, context: Any = None) -> None:
        self.run = run
        self.job = run.root if job is None else job
        self.context = run.root.context if context is None else context
        self._calls: dict[Scope, Calls] = {}
        self._jobs: list[tree.Job] | None = None
        self._capture: dict[str, tree.Evidence] = {}
        self._whole: bool | None = None

    def at(self, job: tree.Job) -> "Scene":
        """The same run from another job's point of view, with the same context."""
        return Scene(self.run, job, self.context)

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
