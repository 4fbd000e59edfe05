"""Checks that ask a judge or a person. Without an answer they are errors, never passes (S2-28, S2-39, S2-53)."""

from grader.checks.compare import Pairwise
from grader.checks.human import Human
from grader.checks.judge import Rubric
from grader.checks.rag import NEEDS, Kind, Rag
from grader.evalstone.datasets import Sample
from grader.evalstone.reading import AS_TEXT, Around, Make, Reader, always, unscored
from grader.levels import LEAST_SCALE, Levels
from grader.patterns import show
from grader.replies import text_of
from grader.scene import Primitive
from grader.syntax.foreign import Fields

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
    model, tokens = _asked(fields, around)

    def make(sample: Sample) -> Primitive:
        if with_reference and sample.expected is None:
            return unscored("judge", f"sample {sample.id!r} has no `expected` to show the judge")
        reference = text_of(sample.expected, AS_TEXT) if with_reference else None
        return Rubric(
            rubric=rubric, levels=levels, model=model, max_tokens=tokens, reference=reference, rendering=AS_TEXT
        )

    return make


def _asked(fields: Fields, around: Around) -> tuple[str, int]:
    """Who is asked, and how long an answer may be."""
    return fields.text_or("model", around.model) or "", fields.whole_or("max_tokens", _MAX_TOKENS, 1)


def _rag(kind: Kind) -> Reader:
    names = [name for name in NEEDS[kind] if name != "reply"]

    def read(fields: Fields, around: Around) -> Make:
        """Judges with rubric and scale of their own, so they take no other keys (S2-29 to S2-31)."""
        wanted = {name: fields.text_or(name, name) for name in names}
        model = fields.text_or("model", around.model) or ""
        threshold = fields.number_or("threshold", None, 0, 1)

        def make(sample: Sample) -> Primitive:
            given = sample.input if isinstance(sample.input, dict) else {}
            missing = [repr(field) for field in wanted.values() if given.get(field) is None]
            if missing:
                return unscored(f"rag.{kind}", f"the input of sample {sample.id!r} has no field {', '.join(missing)}")
            texts = {name: text_of(given[field], AS_TEXT) for name, field in wanted.items()}
            return Rag(
                kind=kind,
                threshold=threshold,
                model=model,
                rendering=AS_TEXT,
                question=texts.get("question"),
                context=texts.get("context"),
            )

        return make

    return read


def pairwise(fields: Fields, around: Around) -> Make:
    """Against a baseline, by default in both orders (S2-37 to S2-39)."""
    rubric = fields.text("rubric")
    both = fields.truth_or("both_orders", True)
    model, tokens = _asked(fields, around)
    if not fields.has("baseline"):
        fields.wrong("baseline", "is missing")
    baseline = fields.raw("baseline")
    if baseline is not None and not (isinstance(baseline, dict) and baseline):
        fields.wrong("baseline", "must be a target ({ kind: ... }) or outputs by sample id")
    recorded = baseline if isinstance(baseline, dict) and not isinstance(baseline.get("kind"), str) else None

    def make(sample: Sample) -> Primitive:
        if recorded is None:
            return unscored("comparison.pairwise", f"its baseline {show(baseline)} would have to be run")
        if recorded.get(sample.id) is None:
            return unscored("comparison.pairwise", f"the baseline has no output for sample {sample.id!r}")
        return Pairwise(
            rubric=rubric,
            baseline=text_of(recorded[sample.id], AS_TEXT),
            both_orders=both,
            model=model,
            max_tokens=tokens,
            rendering=AS_TEXT,
        )

    return make


def human(fields: Fields, around: Around) -> Make:
    """A person's label for exactly this output (S2-51 to S2-53)."""
    labels = fields.text_or("labels", "")
    check = fields.text_or("check", None)
    return always(Human(check=check, source=labels, folder=str(around.folder), rendering=AS_TEXT))


RAG: dict[str, Reader] = {f"rag.{kind}": _rag(kind) for kind in NEEDS}
"""By type name."""
