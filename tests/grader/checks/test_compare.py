"""`compare`: against the replies of another batch."""

from pathlib import Path

import pytest

from grader.asking import Answer, Ask, Question, ReplyWanted
from grader.formats import native
from grader.scene import Scene
from grader.syntax.mistakes import SuiteError
from tests.grader.judge.answering import asks, better, decided
from tests.grader.trees import captured, run, scene


@pytest.fixture
def primitive(tmp_path: Path):
    """A comparison with the batch v1."""
    (tmp_path / "better.md").write_text("Shorter is better.\n", encoding="utf-8")
    item = "{compare: {baseline: v1, rubric: better.md}}"
    text = f"tracegrade: 1\nsuite: s\ncases:\n  - {{name: a, expect: [{item}]}}\n"
    return native.read(tmp_path / "suite.yaml", text).cases[0].expect[0].primitive


def says(which: str, baseline: Answer | None = None):
    def answer(ask: Ask) -> Answer:
        if isinstance(ask, ReplyWanted):
            return baseline or Answer(value="before")
        return better(which)(ask)

    return answer


def test_it_asks_for_the_other_reply_first_and_then_in_both_orders(primitive) -> None:  # noqa: ANN001
    """Of the same case, or of what was asked."""
    named = Scene(run(case_name="refund"))
    assert asks(primitive, named) == [ReplyWanted(batch="v1", case="refund", input="hello")]
    seen: list[Question] = []

    def noted(ask: Ask) -> Answer:
        if isinstance(ask, Question):
            seen.append(ask)
        return says("tie")(ask)

    found = decided(primitive, scene(), noted)
    assert (found.truth, found.value) == (True, 0.5)
    assert len(seen) == 2
    assert all("Shorter is better." in q.prompt for q in seen)
    assert [q.prompt.index(">\nbefore\n<") < q.prompt.index(">\ndone\n<") for q in seen] == [False, True]


def test_a_judge_that_always_prefers_the_first_gives_a_half(primitive) -> None:  # noqa: ANN001
    """The place decides nothing."""
    for which in ("first", "second"):
        assert decided(primitive, scene(), says(which)).value == 0.5


def test_a_baseline_that_is_not_there_leaves_it_open(primitive) -> None:  # noqa: ANN001
    """No judge is asked, and the sentence says why."""
    found = decided(primitive, scene(), says("first", Answer(error="the batch 'v1' has no run")))
    assert (found.truth, "has no run" in found.sentence) == (None, True)


def test_a_reply_that_was_not_captured_is_not_compared(primitive) -> None:  # noqa: ANN001
    """Nobody is asked for anything."""
    assert asks(primitive, scene(capture=captured(reply="partial"))) == []


def test_mistakes(tmp_path: Path) -> None:
    """A rubric that is missing, or not there."""
    for asked, message in (("", "rubric: is missing"), (", rubric: x.md", "cannot be read")):
        item = f"{{compare: {{baseline: b{asked}}}}}"
        with pytest.raises(SuiteError, match=message):
            native.read(tmp_path / "s.yaml", f"tracegrade: 1\nsuite: s\ncases:\n  - {{name: a, expect: [{item}]}}\n")
