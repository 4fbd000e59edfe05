"""`reply`: what the final answer says. An empty reply is a reply; one that was not captured is unknown, never empty."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from pydantic import Field, model_validator

from grader.expressions.regexes import BadPattern, Regex, TooSlow, compile_regex
from grader.forms import Defaults, Form, Item, Text, Texts
from grader.outcome import Finding, Need, combine
from grader.patterns import show
from grader.phrases import Phrase, around, opening, settled
from grader.replies import Rendering, text_of
from grader.scene import Primitive, Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """The regular expression is found in the reply (`wanted`), or is not.

    `flags` are those of Python's `re`. `ascii`: read as JavaScript and RE2 read it, else as Python does. A search that
    takes too long breaks the check, or leaves it open (`slow_is_open`).
    """

    pattern: str
    wanted: bool
    ascii: bool = False
    slow_is_open: bool = False
    flags: int = 0
    rendering: Rendering = "compact"
    compiled: Regex = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "compiled", compile_regex(self.pattern, flags=self.flags, ascii=self.ascii))

    def decide(self, scene: Scene) -> Finding:
        """Searched anywhere; a cut reply may lack what an anchor would need, so it decides nothing."""
        text = text_of(scene.job.reply, self.rendering)
        question = f"the reply matches /{self.pattern}/"
        try:
            hit = self.compiled.search(text)
        except TooSlow:
            if not self.slow_is_open:
                raise
            return Finding(None, f"whether {question} is not known: the search took too long", scene.job.spans[:1])
        if hit is None:
            sentence = f"the reply does not match /{self.pattern}/"
            return settled(scene, not self.wanted, sentence, question, decisive=False)
        told = opening(question, f"/{self.pattern}/", self.wanted)
        sentence = f"{told}: {around(text, hit[0], hit[1] - hit[0])}"
        return settled(scene, self.wanted, sentence, question, decisive=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """The reply has so many words or characters, without the white space around it; both ends included."""

    unit: Literal["words", "characters"]
    least: int
    most: int | None
    rendering: Rendering = "compact"

    def decide(self, scene: Scene) -> Finding:
        """What was captured is a lower bound."""
        text = text_of(scene.job.reply, self.rendering).strip()
        size = len(text.split()) if self.unit == "words" else len(text)
        over = self.most is not None and size > self.most
        bounds = f"at least {self.least}" if self.most is None else f"{self.least} to {self.most}"
        bounds = f"at most {self.most}" if self.most is not None and not self.least else bounds
        held = size >= self.least and not over
        sentence = f"the reply has {size} {self.unit}; allowed are {bounds}"
        question = f"the reply has {bounds} {self.unit}"
        return settled(scene, held, sentence, question, decisive=over or (held and self.most is None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Same:
    """The reply as text is this text; `strip`: white space around both does not count."""

    text: str
    case_sensitive: bool
    strip: bool
    rendering: Rendering = "compact"

    def decide(self, scene: Scene) -> Finding:
        """The miss shows where the two part."""
        found, wanted = (self._plain(t) for t in (text_of(scene.job.reply, self.rendering), self.text))
        if found == wanted:
            sentence = f"the reply is “{show(self.text)}”"
        else:
            at = next((n for n, (a, b) in enumerate(zip(found, wanted, strict=False)) if a != b), None)
            at = min(len(found), len(wanted)) if at is None else at
            parted = f" (they part at character {at + 1}: “{around(found, at, 1)}”)" if at else ""
            sentence = f"the reply is “{show(found)}”; expected “{show(wanted)}”{parted}"
        question = f"the reply is “{show(self.text)}”"
        return settled(scene, found == wanted, sentence, question, decisive=False)

    def _plain(self, text: str) -> str:
        text = text.strip() if self.strip else text
        return text if self.case_sensitive else text.casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class Both:
    """Several demands on one reply: each must hold, or any. `measured`: the value is the share that holds, else 1 or 0.

    `none` is what is told where there are no demands.
    """

    parts: tuple[Primitive, ...]
    need: Need = "every"
    measured: bool = True
    none: str = "nothing is asked of the reply"

    def decide(self, scene: Scene) -> Finding:
        """Without parts nothing is asked of a reply but that it was captured."""
        if not self.parts:
            return settled(scene, True, self.none, "there is a reply", decisive=True)
        finding = combine([p.decide(scene) for p in self.parts], self.need)
        if not self.measured:
            finding.value = None
        return finding


class ReplyDemands(Form):
    """What the reply must and must not say."""

    contains: Texts | None = Field(default=None, description="Each of these.")
    excludes: Texts | None = Field(default=None, description="None of these.")
    regex: Text | None = Field(default=None, description="Found anywhere in the reply.")
    excludes_regex: Text | None = Field(default=None, description="Found nowhere in the reply.")
    min_words: int | None = Field(default=None, ge=0)
    max_words: int | None = Field(default=None, ge=0)
    min_characters: int | None = Field(default=None, ge=0)
    max_characters: int | None = Field(default=None, ge=0)
    case_sensitive: bool = Field(default=False, description="For contains and excludes.")

    @model_validator(mode="after")
    def _sound(self) -> "ReplyDemands":
        if not self.model_fields_set - {"case_sensitive"}:
            raise ValueError("say at least one of contains, excludes, regex, excludes_regex, min_…, max_…")
        for pattern in filter(None, (self.regex, self.excludes_regex)):
            try:
                compile_regex(pattern)
            except BadPattern as error:
                raise ValueError(f"{pattern!r} is not a regular expression: {error}") from None
        return self

    def parts(self) -> list[Primitive]:
        """One primitive a demand, in a fixed order."""
        case = self.case_sensitive
        parts: list[Primitive] = [Phrase(phrase=p, wanted=True, case_sensitive=case) for p in self.contains or ()]
        parts += [Phrase(phrase=p, wanted=False, case_sensitive=case) for p in self.excludes or ()]
        parts += [Search(pattern=p, wanted=w) for p, w in ((self.regex, True), (self.excludes_regex, False)) if p]
        if self.min_words is not None or self.max_words is not None:
            parts.append(Length(unit="words", least=self.min_words or 0, most=self.max_words))
        if self.min_characters is not None or self.max_characters is not None:
            parts.append(Length(unit="characters", least=self.min_characters or 0, most=self.max_characters))
        return parts


class Reply(Item):
    """What the final answer says."""

    KEY: ClassVar[str] = "reply"

    reply: ReplyDemands

    def compile(self, defaults: Defaults) -> Primitive:  # noqa: ARG002
        """One primitive, or several together."""
        parts = self.reply.parts()
        return parts[0] if len(parts) == 1 else Both(parts=tuple(parts))


FORMS = (Reply,)
