"""Which runs answer which case. Never guesses: the case name on the run, then exactly the input, else no run.

Policies (cases without a request) apply to every selected run.
"""

import difflib
from collections import defaultdict, deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from grader.case import Case
from grader.patterns import canonical, equal, show
from grader.sample import Candidate

QUIET_SECONDS = 10.0
"""Exporters flush every 5 s: a run whose newest evidence is younger than twice that may still grow."""

NANOSECONDS = 1_000_000_000
NEAREST = 3
LOOKED_AT = 2_000
"""Inputs compared when looking for the nearest: difflib takes some 50 µs a pair, so 0.1 s a case at most."""


def quiet_at(candidate: Candidate, quiet_seconds: float) -> int | None:
    """When the run will have been quiet for long enough; None while its root has not ended, which no wait brings about."""
    if candidate.run.open:
        return None
    return (candidate.last_arrival or 0) + int(quiet_seconds * NANOSECONDS)


def has_attributes(candidate: Candidate, wanted: dict[str, Any]) -> bool:
    """Whether the run has each attribute with that value."""
    found = candidate.run.attributes
    return all(name in found and equal(found[name], value) for name, value in wanted.items())


class Finder:
    """The cases of a suite, indexed by name and by request."""

    def __init__(self, suite: str, cases: Sequence[Case]) -> None:
        self.suite = suite
        self.by_name = {a: c for c in cases for a in c.aliases} | {c.name: c for c in cases}
        self.exact: dict[str, list[Case]] = defaultdict(list)
        self.valued: dict[bytes, list[Case]] = defaultdict(list)
        self.contained = [c for c in cases if c.match == "contains" and isinstance(c.request, str)]
        for case in cases:
            if case.match == "name" or case.request is None:
                continue
            if isinstance(case.request, str):
                self.exact[case.request.strip()].append(case)
            else:
                self.valued[canonical(case.request)].append(case)

    def find(self, candidate: Candidate, texts: Sequence[str] | None = None) -> list[Case]:
        """The cases that the run answers; a run that names a case answers that one or none. `texts`: those of its input."""
        name, suite = candidate.run.case_name, candidate.run.suite_name
        if name is not None:
            ours = suite is None or suite == self.suite
            return [self.by_name[name]] if ours and name in self.by_name else []
        if texts is None:
            texts = texts_of(candidate.run.root.input)
        exact = {c.name: c for t in texts for c in self.exact.get(t, ())}
        if self.valued:
            exact |= {c.name: c for v in values_of(candidate.run.root.input) for c in self.valued.get(canonical(v), ())}
        if exact or not self.contained:
            return list(exact.values())
        return [c for c in self.contained if any((c.request or "").strip() in t for t in texts)]


def texts_of(value: Any) -> list[str]:
    """The texts of an input: itself, or those inside.

    Of a list of messages only the last one by the user counts, since earlier ones are history that other runs were asked.
    """
    if isinstance(value, str):
        return [value.strip()]
    if isinstance(value, dict):
        return [t for k, v in value.items() if k not in ("role", "type", "id") for t in texts_of(v)]
    if isinstance(value, list):
        messages = [m for m in value if isinstance(m, dict) and "role" in m]
        asked = [m for m in messages if m["role"] in ("user", "human")]
        return [t for v in (asked[-1:] if messages else value) for t in texts_of(v)]
    return []


def values_of(value: Any) -> list[Any]:
    """An input as a value: itself, and what its texts say where they are JSON."""
    out = [] if isinstance(value, str) else [value]
    for text in texts_of(value):
        try:
            out.append(orjson.loads(text))
        except ValueError:
            continue
    return out


@dataclass(slots=True)
class Asked:
    """The newest inputs, each with its run, and case names that were looked at, for telling what came closest."""

    texts: deque[tuple[str, str]] = field(default_factory=lambda: deque(maxlen=LOOKED_AT))
    names: deque[str] = field(default_factory=lambda: deque(maxlen=LOOKED_AT))

    def add(self, candidate: Candidate, texts: Sequence[str] | None = None) -> None:
        """Remembers a run's. `texts`: those of its input."""
        texts = texts_of(candidate.run.root.input) if texts is None else texts
        self.texts.extend([(show(t, 200), candidate.run.id) for t in texts])
        if candidate.run.case_name:
            self.names.append(candidate.run.case_name)

    def extend(self, later: "Asked") -> None:
        """Takes in what was looked at afterwards."""
        self.texts.extend(later.texts)
        self.names.extend(later.names)

    def nearest(self, case: Case) -> list[str]:
        """The inputs (for cases matched by name: the case names) that come closest."""
        if case.match == "name":
            wanted, known = case.name, list(self.names)
        else:
            wanted, known = show(case.request or "", 200), [text for text, _ in self.texts]
        return difflib.get_close_matches(wanted, dict.fromkeys(known), n=NEAREST, cutoff=0.3)

    def whose(self, texts: Collection[str]) -> set[str]:
        """The runs that had one of these inputs."""
        return {run for text, run in self.texts if text in texts}
