"""What came of some of the runs, in their order. Parts in a row make the whole, so that several processes can judge at once."""

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from grader.asking import Answers, Ask
from grader.case import Case, Suite
from grader.inputs import NONE, Inputs
from grader.sample import Candidate, Sample, judge, unjudged
from grader.select import Asked, Finder, has_attributes, quiet_at, texts_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a grading is asked beside the suite. `now`: nanoseconds since the epoch.

    `quiet_seconds` None: open runs count too. `attributes`: what a run must have to be selected.
    """

    now: int
    quiet_seconds: float | None = None
    inputs: Inputs = NONE
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A sample that is not the last word: what it asked nobody has answered yet. `place` is its own among those of its case.

    `quoted`: other runs whose words may stand in what it asked.
    """

    case: str
    place: int
    run_id: str
    asked: tuple[Ask, ...]
    quoted: tuple[str, ...] = ()


@dataclass(slots=True)
class Part:
    """Samples by case name, those of them that wait for answers, and what was counted beside them."""

    samples: dict[str, list[Sample]]
    judged: int = 0
    still_open: int = 0
    unmatched: int = 0
    quiet_at: int = 0
    named_policies: set[str] = field(default_factory=set)
    asked: Asked = field(default_factory=Asked)
    waiting: list[Waiting] = field(default_factory=list)

    def extend(self, later: "Part") -> None:
        """Takes in what came of the runs that follow."""
        for one in later.waiting:
            before = len(self.samples.get(one.case, ()))
            self.waiting.append(dataclasses.replace(one, place=before + one.place))
        for name, samples in later.samples.items():
            self.samples.setdefault(name, []).extend(samples)
        self.judged += later.judged
        self.still_open += later.still_open
        self.unmatched += later.unmatched
        self.quiet_at = max(self.quiet_at, later.quiet_at)
        self.named_policies |= later.named_policies
        self.asked.extend(later.asked)

    def keep_newest(self, case: str, number: int) -> None:
        """Of a case only the newest samples; runs come oldest first."""
        samples = self.samples.get(case, [])
        gone = max(0, len(samples) - number)
        del samples[:gone]
        self.waiting = [
            dataclasses.replace(one, place=one.place - gone) if one.case == case else one
            for one in self.waiting
            if one.case != case or one.place >= gone
        ]


class Judge:
    """A suite made ready for runs. Pure: a run's verdict never depends on the runs around it.

    `lost`: why the runs cannot be judged; each sample is an error then. `answers`: what judges and people said so far.
    """

    def __init__(self, suite: Suite, terms: Terms, lost: str = "", answers: Answers | None = None) -> None:
        self.terms = terms
        self.answers = Answers() if answers is None else answers
        self.lost = lost
        self.policies = [c for c in suite.cases if c.policy]
        self.asking = [c for c in suite.cases if not c.policy]
        self.finder = Finder(suite.name, self.asking)

    def part(self, candidates: Iterable[Candidate]) -> Part:
        """What comes of these runs."""
        part = Part({})
        terms = self.terms
        for candidate in candidates:
            if terms.attributes and not has_attributes(candidate, terms.attributes):
                continue
            quiet = 0 if terms.quiet_seconds is None else quiet_at(candidate, terms.quiet_seconds)
            if quiet is None or quiet > terms.now:
                part.still_open += 1
                part.quiet_at = max(part.quiet_at, quiet or 0)
            else:
                self._add(part, candidate)
        return part

    def _add(self, part: Part, candidate: Candidate) -> None:
        """Judges a run by every policy, and by the case that it answers."""
        part.judged += 1
        for case in self.policies:
            self._take(part, case, candidate)
            if candidate.run.case_name == case.name:
                part.named_policies.add(case.name)
        if not self.asking:
            return
        texts = texts_of(candidate.run.root.input)
        part.asked.add(candidate, texts)
        found = self.finder.find(candidate, texts)
        if len(found) == 1:
            self._take(part, found[0], candidate)
        for case in found if len(found) > 1 else ():
            others = ", ".join(repr(c.name) for c in found if c is not case)
            reason = f"ambiguous: the input is also that of {others}"
            sample = unjudged(case, candidate, "indeterminate", reason)
            part.samples.setdefault(case.name, []).append(sample)
        part.unmatched += not found

    def _take(self, part: Part, case: Case, candidate: Candidate) -> None:
        samples = part.samples.setdefault(case.name, [])
        samples.append(self.judge(case, candidate))
        if self.answers.asked:
            asked = tuple(self.answers.asked.values())
            part.waiting.append(Waiting(case.name, len(samples) - 1, candidate.run.id, asked))

    def judge(self, case: Case, candidate: Candidate) -> Sample:
        """One case on one run; what it asks in vain is in `answers.asked`."""
        inputs = self.terms.inputs
        if self.answers.asked:
            self.answers.asked = {}
        if self.lost:
            return unjudged(case, candidate, "error", self.lost, inputs)
        return judge(case, candidate, inputs, self.answers)
