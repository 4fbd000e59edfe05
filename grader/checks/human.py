"""`human`: a person's label for exactly this reply."""

import hashlib
from dataclasses import dataclass, field
from typing import ClassVar

from grader.asking import CENTER, LabelWanted
from grader.forms import Defaults, Text
from grader.judged import JudgedItem, reply_of, unheard
from grader.outcome import Finding
from grader.replies import Rendering
from grader.scene import Primitive, Scene


def output_hash(text: str) -> str:
    """What a label is bound to: another output of the same sample has another (S2-51)."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Human:
    """A person's verdict. `check`, `source` and `folder` are those of `LabelWanted`."""

    check: str | None
    source: str = CENTER
    folder: str = field(default="", compare=False)
    rendering: Rendering = "compact"

    def decide(self, scene: Scene) -> Finding:
        """Without a label for this sample and this exact output it is open (S2-51)."""
        spans = scene.job.spans[:1]
        reply = reply_of(scene, self.rendering)
        of = f"a person's verdict on {self.check!r}" if self.check else "a person's verdict"
        if reply is None:
            return Finding(None, f"{of} is not known: {scene.lack('reply', 'job')}", spans)
        wanted = LabelWanted(
            sample=scene.sample, output_hash=output_hash(reply), check=self.check, run=scene.run.id,
            source=self.source, folder=self.folder,
        )  # fmt: skip
        answer = scene.ask(wanted)
        if answer.error:
            return unheard(of, answer, spans)
        label = answer.value
        by = f" by {label['labeler']}" if label["labeler"] else ""
        notes = f": {label['notes']}" if label["notes"] else ""
        sentence = f"{of}{by}: {'passed' if label['passed'] else 'failed'}{notes}{label.get('beside', '')}"
        return Finding(label["passed"], sentence, spans, label["value"])


class HumanItem(JudgedItem):
    """A person's label of that name passes the reply."""

    KEY: ClassVar[str] = "human"

    human: Text

    def compile(self, defaults: Defaults) -> Primitive:  # noqa: ARG002
        """From the store's labels."""
        return Human(check=self.human)


FORMS = (HumanItem,)
