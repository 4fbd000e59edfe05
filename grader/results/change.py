"""Why a verdict may differ from the one before: the case, what was given beside it, or the tree changed, and then by what."""

from dataclasses import dataclass

from grader.sample import Sample


@dataclass(frozen=True, slots=True)
class Earlier:
    """What was judged the last time."""

    case_hash: str
    tree_digest: str
    inputs_hash: str
    traces: frozenset[str]
    jobs: int
    evidence_ns: int | None
    outcome: str
    grading_id: str


def because(earlier: Earlier, sample: Sample) -> str | None:
    """The reasons, joined by "; "; None where the same case and inputs met the same tree.

    A tree that gained a trace or a job had a child join (whichever of the two arrived first). The same evidence with
    another tree is the normalizer's doing.
    """
    run = sample.run
    reasons = [] if earlier.case_hash == sample.case_hash else ["case changed"]
    reasons += [] if earlier.inputs_hash == sample.inputs_hash else ["inputs changed"]
    if earlier.tree_digest != run.tree_digest:
        if set(run.traces) - earlier.traces or run.jobs > earlier.jobs:
            reasons.append("child joined")
        elif earlier.evidence_ns is not None and earlier.evidence_ns == run.evidence_ns:
            reasons.append("normalizer changed")
        else:
            reasons.append("evidence arrived")
    return "; ".join(reasons) or None


def mark(samples: list[Sample], earlier: dict[tuple[str, str], Earlier]) -> None:
    """Fills in what changed, for each sample of a run that was graded before."""
    for sample in samples:
        before = earlier.get((sample.run.run_id, sample.case))
        if before is None:
            continue
        sample.changed_because = because(before, sample)
        sample.previous_outcome = before.outcome
        sample.previous_grading = before.grading_id
