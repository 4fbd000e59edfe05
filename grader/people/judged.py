"""Which checks a model decides: those that a person's labels are compared with."""

from grader.checks.compare import Pairwise
from grader.checks.judge import Criterion, Rubric
from grader.checks.rag import SCALE, Rag
from grader.levels import LEAST_SCALE
from grader.scene import Primitive

JUDGED = (Criterion, Rubric, Rag, Pairwise)


def scale_of(primitive: Primitive) -> int | None:
    """How many levels it has; None: it passes or fails, and no more."""
    scale = primitive.levels.scale if isinstance(primitive, Rubric) else SCALE if isinstance(primitive, Rag) else None
    return scale if scale is not None and scale > LEAST_SCALE else None
