"""`python`: a function of the author's own decides, where the command line allows code to run (--allow-code)."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from typing import Annotated, Any, ClassVar

from pydantic import Field, PrivateAttr, ValidationInfo, model_validator

from collector import tree_text
from grader.answers import structure
from grader.asking import Answer
from grader.code.process import CodeProcess
from grader.forms import Defaults, Item, Text, code_of
from grader.outcome import BrokeError, Finding, Policy, Unknown
from grader.replies import text_of
from grader.scene import Primitive, Scene
from grader.ungraded import Ungraded

NOT_ALLOWED = "was not run: it is the author's own code, which runs only with --allow-code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A function `module.function` is given what it `takes` of run, reply and context. `code`: hash of the modules' sources."""

    function: str
    takes: tuple[str, ...]
    code: str
    process: InitVar[CodeProcess]
    called: CodeProcess = field(init=False, repr=False, compare=False)

    def __post_init__(self, process: CodeProcess) -> None:
        object.__setattr__(self, "called", process)

    def decide(self, scene: Scene) -> Finding:
        """What was not captured is not given: then it is not called, and nothing is decided."""
        spans = scene.job.spans[:1]
        given: dict[str, Any] = {}
        if "reply" in self.takes:
            if not scene.complete("reply", "job"):
                return Finding(None, f"{self.function} cannot be asked: {scene.lack('reply', 'job')}", spans)
            given["reply"] = text_of(scene.job.reply)
        if "context" in self.takes:
            if scene.context is None:
                return Finding(None, f"{self.function} cannot be asked: no context was given or recorded", spans)
            given["context"] = scene.context
        if "run" in self.takes:
            given["run"] = _run(scene)
        score = self.called.call(self.function, do="decide", function=self.function, given=given)
        return _finding(score, self.function, scene, spans)


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """The function that a module registered under a key looks at a sample and its output (S2-22, S2-54).

    `sample` has all of its line in the dataset, since the function may look at all of it.
    """

    key: str
    sample: Mapping[str, Any]
    takes_context: bool
    code: str
    process: InitVar[CodeProcess]
    called: CodeProcess = field(init=False, repr=False, compare=False)

    def __post_init__(self, process: CodeProcess) -> None:
        object.__setattr__(self, "called", process)

    def decide(self, scene: Scene) -> Finding:
        """Without the whole reply there is no output to look at."""
        spans = scene.job.spans[:1]
        if not scene.complete("reply", "job"):
            return Finding(None, f"{self.key} cannot be scored: {scene.lack('reply', 'job')}", spans)
        reply = scene.job.reply
        output = {
            "text": text_of(reply, "sorted"),
            "value": structure(reply),
            "metadata": scene.run.attributes,
        }
        score = self.called.call(
            self.key, do="score", key=self.key, sample=self.sample, output=output,
            run=_run(scene) if self.takes_context else None, context=scene.context,
        )  # fmt: skip
        return _finding(score, self.key, scene, spans)


def _run(scene: Scene) -> str:
    """The run as text, from the point of view of the job that is looked at."""
    run = scene.run if scene.job is scene.run.root else dataclasses.replace(scene.run, root=scene.job)
    return tree_text.to_json(run).decode()


def _finding(score: Mapping[str, Any], name: str, scene: Scene, spans: Sequence[str]) -> Finding:
    """What a score comes to; one that says why it could not score is an error (S2-1)."""
    if score["error"]:
        raise BrokeError(f"{name} could not score: {score['error']}")
    if scene.answers is not None and (score["cost"] is not None or score["latency"] is not None):
        scene.answers.used.append(Answer(value=True, cost_usd=score["cost"], seconds=score["latency"]))
    passed, value = score["passed"], score["value"]
    if passed is None:
        said = "could not decide"
    else:
        said = f"{'passed' if passed else 'did not pass'} it"
        said += f" with {value:g}" if value not in (0.0, 1.0) else ""
    reason = f": {score['reason']}" if score["reason"] else ""
    return Finding(passed, f"{name} {said}{reason}", spans, value)


class PythonItem(Item):
    """A function of the author's own decides."""

    KEY: ClassVar[str] = "python"

    python: Annotated[Text, Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$", description="module.function")]

    _process: CodeProcess | None = PrivateAttr(default=None)
    _takes: tuple[str, ...] = PrivateAttr(default=())

    @model_validator(mode="after")
    def _found(self, info: ValidationInfo) -> "PythonItem":
        """The function is looked up when the suite is read, if code may run at all."""
        self._process = code_of(info.context)
        if self._process is not None:
            answer = self._process.ask(do="find", function=self.python)
            if "mistake" in answer:
                raise ValueError(f"{self.python}: {answer['mistake']}")
            self._takes = tuple(answer["wants"])
        return self

    def compile(self, defaults: Defaults) -> Primitive:  # noqa: ARG002
        """Undecided where no code may run."""
        if self._process is None:
            return Ungraded(text=f"python: {self.python}", why=NOT_ALLOWED)
        return Function(function=self.python, takes=self._takes, code=self._process.hash, process=self._process)

    def policy(self, unknown: Unknown) -> Policy:
        """Where no code may run it is not graded, and keeps its case from passing."""
        return self.unknown or ("not_graded" if self._process is None else unknown)

    def notice(self) -> str | None:
        """Said with every grading that may run no code."""
        return f"`python: {self.python}` {NOT_ALLOWED}" if self._process is None else None


FORMS = (PythonItem,)
