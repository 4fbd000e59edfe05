"""Dollars of model calls, added as they are written."""

from collections.abc import Iterable
from decimal import Decimal

from grader.scene import Scene, Scope


def total(figures: Iterable[float]) -> float:
    """The sum in decimals: three times $0.10 is no more than $0.30."""
    return float(sum((Decimal(repr(f)) for f in figures), Decimal(0)))


def cost(scene: Scene, scope: Scope) -> float | None:
    """Dollars over all model calls of the scope; None where one does not tell its own, or some may be missing (never 0)."""
    costs = [call.cost_usd for job in scene.jobs(scope) for call in job.model_calls]
    known = [c for c in costs if c is not None]
    return total(known) if scene.complete("model_calls", scope) and len(known) == len(costs) else None
