"""`rag`: a model judges a reply against what was retrieved for it, or what was retrieved against the question."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import orjson
from pydantic import Field

from collector.tree import Job
from grader.forms import Defaults, Form
from grader.judge.prompting import question
from grader.judged import JudgedItem, by_level, level_of, reply_of, request_of
from grader.levels import Levels
from grader.outcome import Finding
from grader.replies import Rendering, text_of
from grader.scene import Primitive, Scene

Kind = Literal["faithfulness", "context_relevance", "answer_relevance"]
NEEDS: dict[Kind, tuple[str, ...]] = {
    "faithfulness": ("context", "reply"),
    "context_relevance": ("question", "context"),
    "answer_relevance": ("question", "reply"),
}
"""What the judge is shown: of context relevance never the answer, of answer relevance never the context (S2-29)."""

SCALE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Rag:
    """Levels from 1 to 5 with a prompt of its own (S2-31); `threshold` None: level 4 passes.

    `question` and `context` are what a dataset's fields said; None: they are taken from the trace, the question from what
    was asked, the context from retrievals and tool results over the whole tree.
    """

    kind: Kind
    threshold: float | None = None
    question: str | None = None
    context: str | None = None
    model: str = ""
    max_tokens: int = 1024
    rendering: Rendering = "compact"

    def decide(self, scene: Scene) -> Finding:
        """What was not captured is not known, and never unfaithful: a part of a context may support, not refute."""
        spans = scene.job.spans[:1]
        data: dict[str, str | None] = {}
        left_out = ""
        for name in NEEDS[self.kind]:
            text, lack = self._text(name, scene)
            if text is None or (lack and self.kind != "faithfulness"):
                return Finding(None, f"{self.tell()} cannot be judged: {lack}", spans)
            data[name], left_out = text, left_out or lack
        asked = question(self.kind, level_of(SCALE), data, self.model, self.max_tokens)
        found = by_level(scene.ask(asked), Levels(scale=SCALE, threshold=self.threshold), self.tell(), spans)
        if found.truth is False and left_out:
            return Finding(None, f"{found.sentence}; but {left_out}", spans)
        return found

    def _text(self, name: str, scene: Scene) -> tuple[str | None, str]:
        """The text (None: there is none), and what of it is missing."""
        if name == "reply":
            reply = reply_of(scene, self.rendering)
            return reply, scene.lack("reply", "job") if reply is None else ""
        if name == "question":
            asked = request_of(scene) if self.question is None else self.question
            return asked, scene.lack("input", "job") if asked is None else ""
        return _context(scene) if self.context is None else (self.context, "")

    def tell(self) -> str:
        """For a sentence."""
        return f"rag {self.kind}"


def _context(scene: Scene) -> tuple[str | None, str]:
    """What the agents retrieved and were answered by tools, over the tree, and what of that was not captured."""
    missing = next((kind for kind in ("tools", "tool_results", "retrievals") if not scene.complete(kind, "tree")), None)
    lack = "" if missing is None else scene.lack(missing, "tree")
    parts = [part for job in scene.jobs("tree") for part in _parts(job)]
    return ("\n\n".join(parts), lack) if parts else (None, lack or "nothing was retrieved, and no tool was called")


def _parts(job: Job) -> Iterator[str]:
    for retrieval in job.retrievals:
        asked = f" for {retrieval.query}" if retrieval.query else ""
        for document in retrieval.documents:
            name, content = document.get("id") or "a document", document.get("content")
            yield f"[retrieved{asked}: {name}]\n{text_of(content)}"
    for call in job.tool_calls:
        if call.result_capture == "present":
            arguments = orjson.dumps(call.arguments, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
            yield f"[result of {call.name} {arguments}]\n{text_of(call.result)}"


class RagForm(Form):
    """Which of the three, and from which value on it passes."""

    kind: Kind
    threshold: float | None = Field(default=None, ge=0, le=1)
    model: str | None = None


class RagItem(JudgedItem):
    """A model judges the reply against what was retrieved."""

    KEY: ClassVar[str] = "rag"

    rag: Kind | RagForm

    def label(self) -> str:
        """With what is judged."""
        return f"rag {self.rag if isinstance(self.rag, str) else self.rag.kind}"

    def compile(self, defaults: Defaults) -> Primitive:  # noqa: ARG002
        """From the trace's own evidence."""
        if isinstance(self.rag, str):
            return Rag(kind=self.rag)
        return Rag(kind=self.rag.kind, threshold=self.rag.threshold, model=self.rag.model or "")


FORMS = (RagItem,)
