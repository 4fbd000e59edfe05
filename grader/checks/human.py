"""`human`: a person's label for exactly this reply."""

import hashlib
from dataclasses import dataclass
from typing import ClassVar

from grader.asking import LabelWanted
from grader.forms import Defaults, Text
from grader.judged import JudgedItem, no_verdict, reply_of
from grader.outcome import Finding
from grader.replies import Rendering
from grader.scene import Primitive, Scene

CENTER = "center"
"""The store's own table of labels."""


def output_hash(text: str) -> str:
    """What a label is bound to: another output of the same sample has another (S2-51)."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Human:
    """A person's verdict. `sample` None: the case that the run names, else the run itself; `check` None: any label."""

    check: str | None
    source: str = CENTER
    sample: str | None = None
    rendering: Rendering = "compact"

    def decide(self, scene: Scene) -> Finding:
        """Without a label for this sample and this exact output it is open (S2-51)."""
        spans = scene.job.spans[:1]
        reply = reply_of(scene, self.rendering)
        of = "a person's verdict" if self.check is None else f"a person's verdict on {self.check!r}"
        if reply is None:
            return Finding(None, f"{of} is not known: {scene.lack('reply', 'job')}", spans)
        sample = self.sample or scene.run.case_name or scene.run.id
        answer = scene.ask(
            LabelWanted(sample=sample, output_hash=output_hash(reply), check=self.check, source=self.source)
        )
        open_ = no_verdict(answer)
        if open_ is not None or answer is None:
            return Finding(None, f"{of} {open_.sentence if open_ else ''}", spans)
        label = answer.value
        notes = f": {label['notes']}" if label.get("notes") else ""
        by = f" by {label['labeler']}" if label.get("labeler") else ""
        return Finding(
            label["passed"], f"{of}{by}: {'passed' if label['passed'] else 'failed'}{notes}", spans, label["value"]
        )


class HumanItem(JudgedItem):
    """A person's label of that name passes the reply."""

    KEY: ClassVar[str] = "human"

    human: Text

    def compile(self, defaults: Defaults) -> Primitive:  # noqa: ARG002
        """From the store's labels."""
        return Human(check=self.human)


FORMS = (HumanItem,)
