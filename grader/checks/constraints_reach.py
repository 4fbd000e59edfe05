"""`constraints_reach`: every job down to a depth carries the constraints word for word, and some job is that deep."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import orjson
from pydantic import Field

from collector import tree
from grader.forms import Defaults, Item, Text
from grader.outcome import Finding
from grader.patterns import show
from grader.scene import Primitive, Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintsReach:
    """Jobs of depth 0 (the job itself) to `depth` carry exactly `constraints`, in this order."""

    constraints: tuple[str, ...]
    depth: int

    def decide(self, scene: Scene) -> Finding:
        """A job that carries others, or none where others carry some, refutes it; recorded nowhere is unknown."""
        jobs = list(_down_to(scene.job, 0, self.depth))
        spans = [s for _, job in jobs for s in job.spans[:1]]
        if all(job.constraints is None for _, job in jobs):
            return Finding(None, "constraints were not recorded on any job (tracegrade.job.constraints)", spans)
        for level, job in jobs:
            if job.constraints is None or not self._carried(job.constraints):
                return Finding(False, self._miss(level, job), job.spans[:1])
        deepest = max(level for level, _ in jobs)
        complete = all(scene_complete(job) for level, job in jobs if level < self.depth)
        if deepest < self.depth:
            sentence = f"no job is {self.depth} deep (the deepest is {deepest})"
            return Finding(False if complete else None, sentence, spans)
        if not complete:
            return Finding(None, f"all jobs seen carry the constraints; {scene.lack('children', 'tree')}", spans)
        return Finding(True, f"all {len(jobs)} jobs down to depth {self.depth} carry the constraints", spans)

    def _carried(self, found: list[str]) -> bool:
        """Word for word: the same texts in the same order, or their digest where a job tells only that."""
        return tuple(found) == self.constraints or found == [digest_of(self.constraints)]

    def _miss(self, level: int, job: tree.Job) -> str:
        who = f"job {job.agent or job.id} at depth {level}"
        if job.constraints is None:
            return f"{who} carries no constraints"
        missing = [c for c in self.constraints if c not in job.constraints]
        added = [c for c in job.constraints if c not in self.constraints]
        if missing:
            return f"{who} lacks “{show(missing[0])}”; it carries {show(job.constraints)}"
        return f"{who} carries {'also “' + show(added[0]) + '”' if added else 'them in another order'}"


def digest_of(constraints: Sequence[str]) -> str:
    """`sha256:` and 64 hex digits over the list as compact JSON in UTF-8: a job may carry it instead of the texts."""
    return "sha256:" + hashlib.sha256(orjson.dumps(list(constraints))).hexdigest()


def scene_complete(job: tree.Job) -> bool:
    """Whether all children of the job are known."""
    capture = job.capture.get("children")
    return capture is not None and capture.state == "present"


def _down_to(job: tree.Job, level: int, depth: int) -> Iterator[tuple[int, tree.Job]]:
    yield level, job
    if level < depth:
        for child in job.jobs:
            yield from _down_to(child, level + 1, depth)


class ConstraintsReachItem(Item):
    """The constraints reach every job down to a depth, word for word."""

    KEY: ClassVar[str] = "constraints_reach"

    constraints_reach: int = Field(ge=0, le=8, description="How deep; 0 is the root job.")
    constraints: list[Text] = Field(min_length=1, max_length=20, description="In the order in which jobs carry them.")

    def compile(self, defaults: Defaults) -> Primitive:  # noqa: ARG002
        """Both parameters as they stand."""
        return ConstraintsReach(constraints=tuple(self.constraints), depth=self.constraints_reach)

    def label(self) -> str:
        """With the depth."""
        return f"constraints_reach {self.constraints_reach}"


FORMS = (ConstraintsReachItem,)
