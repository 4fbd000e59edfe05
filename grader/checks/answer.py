"""What the answer says or is, for vocabularies whose answers are texts or structures; native suites have `reply` and `json`."""

from dataclasses import dataclass
from typing import Any

from grader.answers import renderings, structure
from grader.outcome import Finding
from grader.patterns import equal, show
from grader.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSays:
    """The answer as text has this phrase (`wanted`), or does not; case-sensitive, in any of a structure's renderings."""

    phrase: str
    wanted: bool

    def decide(self, scene: Scene) -> Finding:
        """Of a reply that was cut, what is there may hold the phrase; that it is missing is then not known."""
        spans = scene.job.spans[:1]
        state = scene.capture("reply", "job")
        found = any(self.phrase in text for text in renderings(scene.job.reply))
        if state == "present" or (state == "partial" and found):
            told = "contains" if found else "does not contain"
            return Finding(found is self.wanted, f"the answer {told} “{self.phrase}”{self._shown(scene, found)}", spans)
        lack = scene.lack("reply", "job")
        return Finding(None, f"whether the answer contains “{self.phrase}” is not known: {lack}", spans)

    def _shown(self, scene: Scene, found: bool) -> str:
        return "" if found is self.wanted else f"; it is “{show(scene.job.reply)}”"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerIs:
    """The answer is exactly this value: a text is no structure, numbers are equal by value, booleans are no numbers."""

    value: Any

    def decide(self, scene: Scene) -> Finding:
        """Undecided where the reply was not captured, or only in part."""
        spans = scene.job.spans[:1]
        if not scene.complete("reply", "job"):
            return Finding(None, f"what the answer is is not known: {scene.lack('reply', 'job')}", spans)
        reply = scene.job.reply
        found = reply if isinstance(self.value, str) else structure(reply)
        same = equal(found, self.value)
        told = f"the answer is {_kind(found)} {show(found)}"
        return Finding(same, told if same else f"{told}; expected {_kind(self.value)} {show(self.value)}", spans)


def _kind(value: Any) -> str:
    return "the text" if isinstance(value, str) else "the value"


FORMS = ()
