"""Checks that need a judge, another output or a person: they are read and checked whole, and cannot be scored here yet.

What cannot be scored is an error, never a pass (S2-28, S2-39, S2-53).
"""

from typing import Any

from grader.evalstone.datasets import Sample
from grader.evalstone.reading import Around, Make, always, unscored
from grader.foreign import Fields
from grader.levels import LEAST_SCALE, Levels
from grader.patterns import show
from grader.scene import Primitive

_NO_JUDGE = "no judge is attached"
_MAX_TOKENS = 1024


def judge(fields: Fields, around: Around) -> Make:
    """A rubric with a scale (S2-23 to S2-28)."""
    rubric = fields.text("rubric")
    scale = fields.whole_or("scale", 5, LEAST_SCALE)
    levels = Levels(
        scale=scale,
        pass_level=fields.whole_or("pass_level", None, 1, scale),
        threshold=fields.number_or("threshold", None, 0, 1),
    )
    if fields.has("pass_level") and fields.has("threshold"):
        fields.wrong("threshold", "`pass_level` and `threshold` exclude each other")
    with_reference = fields.truth_or("include_reference", False)
    asked = _asked(fields, around, rubric, levels.tell(), {"include_reference": with_reference})

    def make(sample: Sample) -> Primitive:
        if with_reference and sample.expected is None:
            return unscored("judge", f"{asked}; sample {sample.id!r} has no `expected` to show the judge")
        return unscored("judge", f"{asked}; {_NO_JUDGE}")

    return make


def _asked(fields: Fields, around: Around, rubric: str, scale: str, more: dict[str, Any]) -> str:
    """What would be asked, every parameter of it: another rubric, model or scale is another check (S2-27)."""
    model = fields.text_or("model", around.model) or "the default model"
    tokens = fields.whole_or("max_tokens", _MAX_TOKENS, 1)
    said = ", ".join(f"{k} {show(v)}" for k, v in more.items())
    return f"{model} would be asked “{rubric}” ({scale}, at most {tokens} tokens, {said})"


def _rag(kind: str, *names: str) -> "tuple[str, Any]":
    def read(fields: Fields, around: Around) -> Make:
        """Judges with rubric and scale of their own, so they take no other keys (S2-29 to S2-31)."""
        wanted = {name: fields.text_or(name, name) for name in names}
        model = fields.text_or("model", around.model) or "the default model"
        threshold = fields.number_or("threshold", None, 0, 1)
        asked = f"{model} would be asked about {', '.join(wanted.values())}"
        asked += "" if threshold is None else f", passing at {threshold:g}"

        def make(sample: Sample) -> Primitive:
            given = sample.input if isinstance(sample.input, dict) else {}
            missing = [repr(name) for name in wanted.values() if given.get(name) is None]
            if missing:
                return unscored(kind, f"{asked}; the input of sample {sample.id!r} has no field {', '.join(missing)}")
            return unscored(kind, f"{asked}; {_NO_JUDGE}")

        return make

    return kind, read


def pairwise(fields: Fields, around: Around) -> Make:
    """Against a baseline, by default in both orders (S2-37 to S2-39)."""
    rubric = fields.text("rubric")
    both = fields.truth_or("both_orders", True)
    asked = _asked(fields, around, rubric, "1, 0.5 or 0, passes at 0.5", {"both_orders": both})
    if not fields.has("baseline"):
        fields.wrong("baseline", "is missing")
    baseline = fields.raw("baseline")
    if baseline is not None and not (isinstance(baseline, dict) and baseline):
        fields.wrong("baseline", "must be a target ({ kind: ... }) or outputs by sample id")
    recorded = baseline if isinstance(baseline, dict) and not isinstance(baseline.get("kind"), str) else None

    def make(sample: Sample) -> Primitive:
        if recorded is None:
            why = f"its baseline {show(baseline)} would have to be run"
        elif recorded.get(sample.id) is None:
            why = f"the baseline has no output for sample {sample.id!r}"
        else:
            why = f"against “{show(recorded[sample.id])}”; {_NO_JUDGE}"
        return unscored("comparison.pairwise", f"{asked}; {why}")

    return make


def human(fields: Fields, around: Around) -> Make:  # noqa: ARG001
    """A person's label for exactly this output (S2-51 to S2-53)."""
    labels = fields.text_or("labels", "labels.jsonl")
    check = fields.text_or("check", None)
    where = "the center, which is not attached" if labels == "center" else labels
    of = "" if check is None else f" for {check!r}"
    return always(unscored("human", f"labels{of} would be read from {where}; labels are not read here"))


RAG = dict(
    (
        _rag("rag.faithfulness", "context"),
        _rag("rag.context_relevance", "question", "context"),
        _rag("rag.answer_relevance", "question"),
    )
)
"""By type name."""
