"""A text in a reply: what must be there, or must not. Shared by the checks of the reply and of its safety."""

from dataclasses import dataclass, field

from grader.outcome import Finding, Truth
from grader.replies import Rendering, text_of
from grader.scene import Scene


def settled(scene: Scene, found: Truth, sentence: str, question: str, *, decisive: bool) -> Finding:
    """A cut reply decides only what its known part decides (`decisive`: the rest cannot change the answer)."""
    state = scene.capture("reply", "job")
    if state == "present" or (state == "partial" and decisive):
        return Finding(found, sentence, scene.job.spans[:1])
    return Finding(None, f"whether {question} is not known: {scene.lack('reply', 'job')}", scene.job.spans[:1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """The reply has this text (`wanted`), or does not have it."""

    phrase: str
    wanted: bool
    case_sensitive: bool
    rendering: Rendering = "compact"
    looked_for: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "looked_for", self.phrase if self.case_sensitive else self.phrase.casefold())

    def decide(self, scene: Scene) -> Finding:
        """Without case unless asked for (casefold)."""
        original, phrase = text_of(scene.job.reply, self.rendering), self.looked_for
        text = original if self.case_sensitive else original.casefold()
        at = text.find(phrase)
        question = f"the reply contains “{self.phrase}”"
        if at < 0:
            sentence = f"the reply does not contain “{self.phrase}”"
            return settled(scene, not self.wanted, sentence, question, decisive=False)
        shown = original if len(original) == len(text) else text  # where folding changes the length, the folded text
        sentence = f"{opening(question, f'“{self.phrase}”', self.wanted)}: {around(shown, at, len(phrase))}"
        return settled(scene, self.wanted, sentence, question, decisive=True)


def opening(question: str, what: str, wanted: object) -> str:
    """How a sentence begins where the text was found."""
    return question if wanted else f"forbidden {what} found"


def around(text: str, at: int, length: int, margin: int = 30) -> str:
    """The words around a place in a text, on one line."""
    start, end = max(0, at - margin), min(len(text), at + length + margin)
    return ("…" if start else "") + " ".join(text[start:end].split()) + ("…" if end < len(text) else "")
