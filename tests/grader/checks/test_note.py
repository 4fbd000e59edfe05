"""`note`: listed, never graded."""

from grader.sample import judge
from tests.grader.suites import suite
from tests.grader.trees import candidate, job


def test_a_note_neither_passes_nor_fails_nor_keeps_a_case_from_passing() -> None:
    """The case passes by its other check alone, and the note counts in no share."""
    case = suite("  - {name: c, request: hello, expect: [{called: f}, {note: sounds friendly}]}\n").cases[0]
    sample = judge(case, candidate(job("f")))
    assert [(r.kind, r.outcome) for r in sample.results] == [
        ("called", "pass"), ("note", "not_graded"), ("status", "pass"),
    ]  # fmt: skip
    assert (sample.outcome, sample.value, tuple(sample.flags)) == ("pass", 1.0, ())
    assert "sounds friendly" in sample.results[1].sentence


def test_a_policy_of_notes_alone_is_not_graded() -> None:
    """Nothing was asked that evidence could answer, so nothing passed."""
    case = suite("  - {name: p, expect: [{note: sounds friendly}]}\n").cases[0]
    assert judge(case, candidate(job("f"))).outcome == "not_graded"
