"""What a check may ask that no trace holds: a judge's verdict, a person's label, the reply of another run.

A check asks its scene, and decides as a pure function of the answers; who answers, and at what price, it does not know
(`grader/judge/`). What is not answered yet is noted, and the run is judged again once it is.
"""

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, Self

import orjson

CENTER = "center"
"""Where labels are: in the store's own table."""


class Ask(Protocol):
    """Something asked, as data. Equal asks have equal keys, and one answer."""

    @property
    def key(self) -> str:
        """32 hex digits."""
        ...

    def by(self, model: str) -> Self:
        """The same, where it names no model of its own asked of this one."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One call of a model. `judge` is the prompt's name and version, `schema` the JSON Schema of the verdict, as text.

    `model` "" is the grading's own. `max_tokens` bounds the verdict; it is no part of the key, since a verdict that was
    given is whole.
    """

    judge: str
    system: str
    prompt: str
    schema: str
    model: str = ""
    max_tokens: int = 1024

    @property
    def version(self) -> str:
        """Hash of all but the prompt: another rubric, scale, model or wording is another judge (S2-27)."""
        return _hash("judge", self.judge, self.system, self.schema, self.model)

    @property
    def key(self) -> str:
        """Of the judge's version and the exact prompt."""
        return _hash("question", self.version, self.prompt)

    def by(self, model: str) -> Self:
        """Asked of that model, unless it names one."""
        return self if self.model else replace(self, model=model)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelWanted:
    """A person's label for exactly this output of a sample (S2-51), or of the very run that is looked at.

    `check` None: of whatever check; "": of none by name. `source`: a file's path as it was written, `CENTER` for the store's
    labels, "" for the default (S2-52). `folder` is where paths begin; it is no part of the key, since a project may move.
    """

    sample: str
    output_hash: str
    check: str | None
    run: str = ""
    source: str = ""
    folder: str = ""

    @property
    def key(self) -> str:
        """Of all but the folder."""
        return _hash("label", self.sample, self.output_hash, self.check, self.run, self.source)

    def by(self, model: str) -> Self:  # noqa: ARG002
        """No model answers it."""
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyWanted:
    """The reply of a run in another batch that answers the same case, or was asked the same."""

    batch: str
    case: str | None
    input: str | None

    @property
    def key(self) -> str:
        """Of all of it."""
        return _hash("reply", self.batch, self.case, self.input)

    def by(self, model: str) -> Self:  # noqa: ARG002
        """No model answers it."""
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of an ask: `value`, or why there is none. Costs are dollars (None: not known), `seconds` what it took.

    `value` is None only with an `error`. `runs`: other runs whose words it repeats.
    """

    value: Any = None
    error: str = ""
    cost_usd: float | None = None
    seconds: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached: bool = False
    runs: tuple[str, ...] = ()


NOBODY = Answer(error="no judge was asked")
"""What a check hears where nobody is asked, or nobody has answered yet."""


@dataclass(slots=True)
class Answers:
    """What is known, by key, and what was asked meanwhile. `model`: who is asked where a question names nobody."""

    known: dict[str, Answer] = field(default_factory=dict)
    model: str = ""
    asked: dict[str, Ask] = field(default_factory=dict)
    """Asks that nobody has answered yet, in the order in which they came."""
    used: list[Answer] = field(default_factory=list)
    """Answers that one check was given."""
    drawn: dict[str, Answer] = field(default_factory=dict)
    """Answers that a whole case was given, by key."""

    def of(self, ask: Ask) -> Answer | None:
        """The answer, or None: it is noted as asked."""
        ask = ask.by(self.model)
        key = ask.key
        answer = self.known.get(key)
        if answer is None:
            self.asked[key] = ask
        else:
            self.used.append(answer)
            self.drawn[key] = answer
        return answer


def _hash(*parts: str | None) -> str:
    return hashlib.blake2b(orjson.dumps(parts), digest_size=16).hexdigest()
