"""What a gate is: one object from which verdict, text and exit code come."""

from grader.gate import CaseVerdict, by_share, plural, settle, worst
from grader.shares import read_share

HELD, BROKEN, OPEN = (
    CaseVerdict("a", "passed", "a held"),
    CaseVerdict("b", "failed", "b broke"),
    CaseVerdict("c", "not gateable", "c is open"),
)


def test_several_suites_take_the_worst() -> None:
    """2 over 1 over 0; none at all is not gateable."""
    passed, failed, neither = (settle((case,), [], [], "all held") for case in (HELD, BROKEN, OPEN))
    assert worst([passed, failed, neither]) == 2
    assert worst([passed, failed]) == 1
    assert worst([passed]) == 0
    assert worst([]) == 2


def test_what_failed_is_told_before_what_stayed_open() -> None:
    """One failure makes the whole a failure; its text has the reasons of the failures alone."""
    decision = settle((HELD, OPEN, BROKEN), ["the whole broke"], ["the whole is open"], "all held")
    assert (decision.verdict, decision.exit_code, decision.text) == (
        "failed",
        1,
        "gate failed: b broke; the whole broke",
    )
    assert (
        settle((HELD, OPEN), [], ["the whole is open"], "all held").text
        == "gate not gateable: c is open; the whole is open"
    )
    assert settle((HELD,), [], [], "all held").text == "gate passed: all held"


def test_numbers_of_things() -> None:
    """One is singular, nothing else is."""
    assert [plural(n, "case") for n in (0, 1, 2)] == ["0 cases", "1 case", "2 cases"]


def test_a_share_of_cases_is_undecided_only_where_that_could_tip_it() -> None:
    """Cases without a verdict count nowhere; a share that holds, or cannot hold any more, waits for nobody."""
    half, all_ = read_share("50%"), read_share("100%")
    nobody = CaseVerdict("d", None, "d was left out")
    assert by_share((HELD, OPEN, nobody), half, "told").verdict == "passed"
    assert by_share((HELD, OPEN, nobody), all_, "told").reasons == ("c is open", "told")
    assert by_share((HELD, OPEN), all_, "told").verdict == "not gateable"
    assert by_share((HELD, OPEN, BROKEN), all_, "told").text == "gate failed: b broke; told"
