"""Reads the gate of an evalstone suite (S2-56)."""

from grader.gates.scores import NEVER, Scores
from grader.nearest import nearest
from grader.shares import Share, read_rate
from grader.syntax.foreign import Fields

ALL = read_rate(1)


def read_gate(suite: Fields, checks: tuple[str, ...], notices: list[str]) -> Scores:
    """The gate; without one every score must pass. Unknown keys are mistakes, what is not compared here is a notice."""
    fields = suite.fields("gate")
    if fields is None:
        return Scores(checks=checks, min_pass_rate=ALL)
    pass_rate = _rate(fields, "min_pass_rate")
    mean, of = _means(fields, checks)
    errors = _rate(fields, "max_error_rate")
    cost = fields.number_or("max_cost_usd", None, 0)
    regression = fields.number_or("max_regression", None, 0, 1)
    needs = fields.truth_or("require_baseline", False)
    if needs and regression is None:
        fields.wrong("require_baseline", "needs `max_regression`")
    fields.close()
    if regression is not None:
        notices.append("`max_regression` is skipped: there is no baseline to compare with")
    if pass_rate is None and mean is None and not of:
        notices.append("the gate asks for no pass rate and no mean score, so failed checks do not fail it")
    return Scores(
        checks=checks,
        min_pass_rate=pass_rate,
        min_mean=mean,
        min_mean_of=of,
        max_error_rate=NEVER if errors is None else errors,
        max_cost_usd=cost,
        needs_baseline=needs,
    )


def _rate(fields: Fields, key: str) -> Share | None:
    rate = fields.number_or(key, None, 0, 1)
    return None if rate is None else read_rate(rate)


def _means(fields: Fields, checks: tuple[str, ...]) -> tuple[Share | None, tuple[tuple[str, Share], ...]]:
    """One number for all scores together, or one a check: { tone: 0.8 }."""
    raw = fields.values.get("min_mean_score")
    if not isinstance(raw, dict):
        return _rate(fields, "min_mean_score"), ()
    below = fields.fields("min_mean_score")
    found = []
    for key in raw:
        if key not in checks:
            fields.wrong("min_mean_score", f"the suite has no check {key!r}{nearest(key, checks)}")
        rate = None if below is None else _rate(below, key)
        if rate is not None:
            found.append((key, rate))
    return None, tuple(sorted(found, key=lambda f: f[0]))
