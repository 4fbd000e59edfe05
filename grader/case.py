"""Suites and cases as every format compiles them: plain frozen values, no format and no policy hidden in a check."""

import dataclasses
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import orjson

from grader.code.process import Permission
from grader.gate import Gate
from grader.judge.prices import Price
from grader.outcome import Policy, Severity
from grader.scene import Primitive

Match = Literal["exact", "contains", "name"]
"""How a request matches a run's input: the same text, text inside it, or not at all (only the case name on the run)."""


Circuit = Literal["", "breaks", "spared"]
"""Short circuits: where a check that `breaks` failed, those that are `spared` are not asked and count as failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A primitive with its policy. `position` is its place in the case: "2", or "when.1"."""

    label: str
    kind: str
    position: str
    primitive: Primitive
    severity: Severity
    unknown: Policy
    line: int = field(default=0, compare=False)
    """Where it stands in the file; 0: not known, then its case's line stands for it."""
    circuit: Circuit = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Expectations on one request; without a request (and not matched by name) a policy for every selected run.

    `request` is a text, or a value that the run's input must equal. `notices` tell what the case asks that only a live
    runner can do. `left_out` says why a tenant's gate skips the case ("" where it does not). `aliases` are further names
    by which a run may say that it answers the case; `samples` is how many runs a definition asks for (None: any number).
    `needs` is what every run must have to be judged at all: it counts in no score, and shows where it is not met.
    `content` is a hash of what belongs to the case beside what its checks read, such as a whole line of a dataset.
    """

    name: str
    request: Any
    match: Match
    when: tuple[Check, ...]
    expect: tuple[Check, ...]
    line: int = field(default=0, compare=False)
    hash: str = field(default="", compare=False)
    notices: tuple[str, ...] = field(default=(), compare=False)
    left_out: str = ""
    aliases: tuple[str, ...] = ()
    samples: int | None = None
    needs: tuple[Check, ...] = ()
    content: str = ""

    @property
    def policy(self) -> bool:
        """Whether it applies to every selected run."""
        return self.request is None and self.match != "name"

    @property
    def verifies(self) -> bool:
        """Whether it has anything but notes; a case that has not is never graded."""
        return any(check.kind != "note" for check in self.expect)


@dataclass(frozen=True, slots=True, kw_only=True)
class Select:
    """Which runs a suite looks at; None asks for nothing."""

    service: str | None = None
    agent: str | None = None
    since: str | None = None
    batch: str | None = None
    attributes: dict[str, Any] = field(default_factory=dict)
    where: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A file of cases with a gate. `notices` tell what the file asks that is not checked after the fact."""

    name: str
    path: str
    format: str
    select: Select
    gate: Gate
    cases: tuple[Case, ...]
    notices: tuple[str, ...] = ()
    text: str = ""
    hash: str = ""
    model: str = ""
    """Who judges where a check names nobody; "": as the command line says."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    """The author's own, by model."""
    allowed: Permission | None = None
    """Where the author's own code may run: it is read again, in other processes, with the same permission."""


def sealed(suite: Suite) -> Suite:
    """The suite with the hashes of its cases and of itself filled in: of what is asked, not of how it is written."""
    cases = tuple(dataclasses.replace(c, hash=digest(c)) for c in suite.cases)
    whole = digest((suite.name, suite.select, suite.gate, [c.hash for c in cases]))
    return dataclasses.replace(suite, cases=cases, hash=whole)


def digest(value: Any) -> str:
    """Hash (32 hex digits) of a definition: the names of its types with all their parameters.

    A field that is left out of comparisons (`compare=False`) is no part of what is asked, such as a line number.
    """
    asked = facts(value, lambda f: f.compare)
    return hashlib.blake2b(orjson.dumps(asked, option=orjson.OPT_SORT_KEYS), digest_size=16).hexdigest()


def facts(value: Any, kept: Callable[[dataclasses.Field[Any]], bool] = lambda _: True) -> Any:
    """A definition as plain data: of an object its type and its parameters, without what was computed from them."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: facts(getattr(value, f.name), kept) for f in dataclasses.fields(value) if f.init and kept(f)}
        return {"type": type(value).__name__} | fields
    if isinstance(value, dict):
        return {str(k): facts(v, kept) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [facts(v, kept) for v in value]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _INT64 else value


_INT64 = 2**63
