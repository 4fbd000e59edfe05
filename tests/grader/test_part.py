"""Parts in a row are the whole, however the runs are cut."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from grader.grading import gathered
from grader.part import Judge, Part, Terms
from grader.sample import Candidate
from tests.grader.suites import suite
from tests.grader.trees import SECOND, candidate, job

SUITE = suite("""
  - {name: refund, request: Refund, expect: [{called: refund}]}
  - {name: twin, request: Refund, match: contains, expect: [{called: refund}]}
  - {name: policy, when: {called: refund}, expect: [{every: refund, preceded_by: lookup}]}
  - {name: nobody, request: Refundable, expect: [{called: refund}]}
""")
TERMS = Terms(now=100 * SECOND, quiet_seconds=10)
RUNS = st.lists(
    st.tuples(
        st.sampled_from(["Refund", "x", "Refund it"]),
        st.lists(st.sampled_from(["lookup", "refund"]), max_size=3),
        st.sampled_from([None, "policy", "refund", "of another suite"]),
        st.booleans(),
        st.sampled_from([0, 95]),
    ),
    max_size=6,
)


def made(runs: Any) -> list[Candidate]:
    found = []
    for number, (asked, calls, name, still_open, arrived) in enumerate(runs):
        one = candidate(job(*calls, input=asked), id=f"r{number}", case_name=name, open=still_open)
        one.last_arrival = arrived * SECOND
        found.append(one)
    return found


@settings(max_examples=60)
@given(RUNS, st.integers(1, 4))
def test_pieces_in_a_row_are_the_whole(runs: Any, size: int) -> None:
    """Samples, counts, notices and the decision, whatever the size of the pieces."""
    pieces = [Judge(SUITE, TERMS).part(made(runs)[at : at + size]) for at in range(0, len(runs), size)]
    whole = [Judge(SUITE, TERMS).part(made(runs))]
    assert gathered(SUITE, pieces, TERMS, id="g") == gathered(SUITE, whole, TERMS, id="g")


def test_runs_without_the_attributes_asked_for_are_not_selected() -> None:
    """They are no samples, and count neither as open nor as unmatched."""
    runs = [candidate(job(input="x"), attributes={"lane": lane}, open=True) for lane in ("a", "b")]
    part = Judge(SUITE, Terms(now=0, quiet_seconds=1, attributes={"lane": "a"})).part(runs)
    assert (part.judged, part.still_open) == (0, 1)
    assert Judge(SUITE, Terms(now=0, attributes={"no.such": 1})).part(runs) == Part({})


def test_lost_runs_are_errors_of_the_cases_that_they_answer() -> None:
    """With the reason, and no check has a result."""
    part = Judge(SUITE, Terms(now=0), lost="gone").part([candidate(job("refund"), case_name="refund")])
    found = {name: [(s.outcome, s.reason, s.results) for s in samples] for name, samples in part.samples.items()}
    assert found == {"refund": [("error", "gone", ())], "policy": [("error", "gone", ())]}
