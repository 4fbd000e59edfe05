"""One case judged on one run: a sample. Pure; a check that breaks is an `error` outcome, and the others go on."""

import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field

from collector import tree
from grader.asking import Answer, Answers
from grader.case import Case, Check, digest
from grader.inputs import NONE, Inputs
from grader.money import cost
from grader.outcome import BrokeError, Finding, Outcome, Result, every, outcome_of, value_of
from grader.scene import Scene


@dataclass(slots=True)
class Candidate:
    """A stored run with what grading needs beside its tree. Times are nanoseconds since the epoch."""

    run: tree.Run
    digest: str
    last_arrival: int | None = None
    scene: Scene = field(init=False)

    def __post_init__(self) -> None:
        self.scene = Scene(self.run)

    def facts(self) -> "RunFacts":
        """What a sample keeps of the run, so that its tree can be let go."""
        root = self.run.root
        traces = tuple(m.trace_id for m in self.run.members) or (root.trace_id,)
        jobs = len(self.scene.jobs("tree"))
        dollars = cost(self.scene, "tree")
        return RunFacts(
            self.run.id, root.trace_id, self.run.case_name, self.digest, traces, jobs, self.last_arrival, dollars
        )


@dataclass(frozen=True, slots=True)
class RunFacts:
    """Which run was judged, and by what tree: enough to say later why another verdict was given."""

    run_id: str
    trace_id: str
    case_name: str | None
    tree_digest: str
    traces: tuple[str, ...]
    jobs: int
    evidence_ns: int | None
    cost_usd: float | None = None
    """Dollars over all model calls; None where one of them, or its cost, was not captured."""


@dataclass(slots=True)
class Sample:
    """What came of one case on one run. `skipped`: its `when` is not met, or a tenant's gate leaves it out; it counts nowhere.

    `flags` mark what the outcome alone does not tell, such as `partially_graded`.
    """

    case: str
    case_hash: str
    run: RunFacts
    outcome: Outcome
    value: float | None
    reason: str
    results: Sequence[Result] = ()
    flags: Sequence[str] = ()
    inputs_hash: str = ""
    changed_because: str | None = None
    previous_outcome: str | None = None
    previous_grading: str | None = None


def judge(case: Case, candidate: Candidate, inputs: Inputs = NONE, answers: Answers | None = None) -> Sample:
    """The sample: `when` first, then every check, then what they make together.

    `answers`: what judges and people said so far; what is asked beside is noted there, and the sample is not the last word.
    """
    if answers is not None:
        answers.drawn.clear()
    sample = _judge(case, candidate, inputs, answers)
    sample.inputs_hash = inputs.hash if answers is None or not answers.drawn else _given(inputs, answers)
    return sample


def _given(inputs: Inputs, answers: Answers) -> str:
    """What was given, the answers among it: by which judge and to what, and what it came to; not in which words."""
    verdicts = {
        key: {k: v for k, v in a.value.items() if k != "reasoning"} if isinstance(a.value, dict) else a.value
        for key, a in sorted(answers.drawn.items())
    }
    return digest((inputs.hash, verdicts))


def _judge(case: Case, candidate: Candidate, inputs: Inputs, answers: Answers | None) -> Sample:
    if inputs.tenant_gate and case.left_out:
        return _sample(case, candidate, "skipped", None, case.left_out, ())
    context = inputs.context_of(case.name, candidate.run)
    scene = candidate.scene if context is None else Scene(candidate.run, context=context)
    scene.answers = answers
    scene.sample = candidate.run.case_name or candidate.run.id if case.policy else case.name
    if case.when:
        results, truths = [], []
        for check in case.when:
            finding, result = run_check(check, scene)
            results.append(result)
            truths.append(finding.truth if finding is not None else None)
        met = every(truths)
        if any(r.outcome == "error" and t is None for r, t in zip(results, truths, strict=True)) and met is not False:
            return _sample(case, candidate, "error", None, "`when` could not be evaluated", results)
        if met is not True:
            return _unmet(case, candidate, results, known=met is False)
    results = _all(case.expect, scene)
    results += [r for r in [run_check(check, scene)[1] for check in case.needs] if r.outcome != "pass"]
    outcome, value = conclude(results)
    reason = ""
    if outcome != "pass":
        telling = [r.sentence for r in results if r.severity == "critical" and r.outcome == outcome]
        reason = "; ".join(telling[:3]) or _left(outcome, results)
    return _sample(case, candidate, outcome, value, reason, results)


def unjudged(case: Case, candidate: Candidate, outcome: Outcome, reason: str, inputs: Inputs | None = None) -> Sample:
    """The sample of a run on which no check was run."""
    sample = _sample(case, candidate, outcome, None, reason, ())
    sample.inputs_hash = "" if inputs is None else inputs.hash
    return sample


def _all(checks: Sequence[Check], scene: Scene) -> list[Result]:
    """Every check's result, in their order; those that a failure spares come last and are not asked (S2-57)."""
    if not any(c.circuit for c in checks):
        return [run_check(c, scene)[1] for c in checks]
    results = [None if c.circuit == "spared" else run_check(c, scene)[1] for c in checks]
    broken = next((c.label for c, r in zip(checks, results, strict=True) if _breaks(c, r)), None)
    return [r or _spared(c, broken, scene) for c, r in zip(checks, results, strict=True)]


def _breaks(check: Check, result: Result | None) -> bool:
    return check.circuit == "breaks" and result is not None and result.outcome == "fail"


def _spared(check: Check, broken: str | None, scene: Scene) -> Result:
    if broken is None:
        return run_check(check, scene)[1]
    sentence = f"not asked, since {broken} failed (short_circuit); it counts as failed"
    return Result(check.label, check.kind, check.position, "fail", 0.0, check.severity, sentence, ())


def run_check(check: Check, scene: Scene) -> tuple[Finding | None, Result]:
    """The finding (None: the check broke) and the result under the check's policy."""
    answers = scene.answers
    if answers is not None:
        answers.used.clear()
    try:
        finding = check.primitive.decide(scene)
    except Exception as error:  # noqa: BLE001  whatever broke in one check must not stop the others
        return None, Result(check.label, check.kind, check.position, "error", None, check.severity, _broken(error))
    outcome = outcome_of(finding.truth, check.unknown)
    result = Result(
        check.label, check.kind, check.position, outcome, value_of(finding), check.severity, finding.sentence,
        finding.spans,
    )  # fmt: skip
    if answers is not None and answers.used:
        _charge(result, answers.used)
    return finding, result


def _charge(result: Result, used: Sequence[Answer]) -> None:
    """What the answers cost together; not known where one of them is not. What was known before cost nothing now."""
    costs = [0.0 if a.cached else a.cost_usd for a in used]
    result.cost_usd = None if None in costs else sum(c for c in costs if c is not None)
    result.seconds = sum(a.seconds or 0.0 for a in used)
    result.cached = all(a.cached for a in used)
    result.quotes = sorted({run for a in used for run in a.runs})


def conclude(results: Sequence[Result]) -> tuple[Outcome, float | None]:
    """Critical checks decide: a known failure stays one, then an error, then the undecided; only then a pass.

    The value is passed / (passed + failed) over all checks, unweighted; minor failures lower it. Nothing decided: None,
    and never a pass.
    """
    outcomes = {r.outcome for r in results if r.severity == "critical"}
    came = [r.outcome for r in results]
    passed, failed = came.count("pass"), came.count("fail")
    value = passed / (passed + failed) if passed + failed else None
    for worst in ("fail", "error", "indeterminate"):
        if worst in outcomes:
            return worst, value
    if "not_graded" in outcomes:
        return "indeterminate", value
    return ("pass" if passed + failed else "not_graded"), value


def _left(outcome: Outcome, results: Sequence[Result]) -> str:
    """Why a sample did not pass where no check came out as the sample did."""
    if outcome == "not_graded":
        return "the case has no checks" if not results else "none of its checks was decided"
    ungraded = [r.sentence for r in results if r.outcome == "not_graded" and r.severity == "critical"]
    return "; ".join(ungraded[:3]) if outcome == "indeterminate" else ""


def _unmet(case: Case, candidate: Candidate, results: list[Result], *, known: bool) -> Sample:
    sentence = "; ".join(r.sentence for r in results if r.outcome != "pass")
    if known:
        return _sample(case, candidate, "skipped", None, f"not applicable: {sentence}", ())
    return _sample(
        case, candidate, "indeterminate", None, f"whether the case applies is not known: {sentence}", results
    )


def _sample(
    case: Case, candidate: Candidate, outcome: Outcome, value: float | None, reason: str, results: Sequence[Result]
) -> Sample:
    unread = any(r.outcome == "not_graded" and r.kind != "note" for r in results)  # a note asks for no verdict
    flags = ("partially_graded",) if unread else ()
    return Sample(case.name, case.hash, candidate.facts(), outcome, value, reason, results, flags)


def _broken(error: Exception) -> str:
    """Where it broke, without the data on which it did."""
    if isinstance(error, BrokeError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    at = f" at {frames[-1].name}, line {frames[-1].lineno}" if frames else ""
    return f"this check itself broke ({type(error).__name__}{at}); the other checks went on"
