"""What a person is shown and asked, line by line."""

import io
from collections.abc import Callable

import pytest

from collector import tree
from grader.asking import LabelWanted
from grader.checks.human import output_hash
from grader.people.dialogue import Counts, Dialogue
from grader.people.label import Label
from grader.people.wanted import Unlabelled
from tests.grader.trees import job, run

RUNS = {f"run-{n}": run(job(reply=f"reply {n}\n\x1b[2Jend"), id=f"run-{n}", case_name=f"c{n}") for n in (1, 2, 3)}


def wanted(number: int, text: str | None = None) -> Unlabelled:
    output = output_hash(text or f"reply {number}\n\x1b[2Jend")
    return Unlabelled(ask=LabelWanted(sample=f"s{number}", output_hash=output, check="tone", run=f"run-{number}"))


def talk(
    typed: str,
    scale: int | None = None,
    limit: int | None = None,
    lines: io.TextIOBase | None = None,
    find: Callable[[str], tree.Run | None] = RUNS.get,
    about: tuple[Unlabelled, ...] = (wanted(1), wanted(2), wanted(3)),
) -> tuple[list[Label], Counts, str]:
    """What is kept, what is counted, and what is said."""
    kept: list[Label] = []
    out = io.StringIO()
    dialogue = Dialogue(lines=lines or io.StringIO(typed), out=out, labeler="ann", keep=kept.append, scale=scale)  # ty: ignore
    counts = dialogue.ask(about, find, limit)
    return kept, counts, out.getvalue()


def test_each_answer_is_kept_with_its_note() -> None:
    """With who gave it, for what, and when; where the run says so, also the case."""
    kept, counts, _ = talk("p\n so nice \nskip\nfail\n\n")
    first, second = kept
    assert (first.sample_id, first.output_hash) == ("s1", wanted(1).ask.output_hash)
    assert (first.passed, first.value, first.raw, first.notes) == (True, 1.0, "p", "so nice")
    assert (first.check, first.labeler, first.run_id, first.case) == ("tone", "ann", "run-1", "c1")
    assert first.created_at
    assert (second.sample_id, second.passed, second.notes) == ("s3", False, None)
    assert counts == Counts(shown=3, labelled=2, skipped=1)


def test_levels() -> None:
    """From the second-highest on they pass; what is no level is asked again."""
    kept, _, said = talk("p\n9\n4\n\n3\n\n1\n\n", scale=5)
    assert [(k.value, k.passed, k.raw) for k in kept] == [(0.75, True, "4/5"), (0.5, False, "3/5"), (0.0, False, "1/5")]
    assert said.count("level 1 to 5, passes at 4, s(kip), q(uit): ") == 5
    assert said.count("That is none of these.") == 2


@pytest.mark.parametrize("typed", ["p\n\nq\n", "p\n\nQUIT\nf\n\n", "p\n\n", "p\n", "p\n\nx\n", "p"])
def test_quitting_and_the_end_of_the_input_keep_what_was_said(typed: str) -> None:
    """Also where the end comes instead of a note."""
    kept, counts, _ = talk(typed)
    assert [(k.sample_id, k.passed) for k in kept] == [("s1", True)]
    assert counts.labelled == 1


def test_control_c_keeps_what_was_said() -> None:
    """As if the person had quit."""

    class Interrupted(io.StringIO):
        def readline(self, *_: object) -> str:
            line = super().readline()
            if not line:
                raise KeyboardInterrupt
            return line

    kept, counts, _ = talk("", lines=Interrupted("f\n\n"))
    assert (len(kept), counts.shown) == (1, 2)


def test_no_more_are_shown_than_asked_for() -> None:
    """Skipped ones count, too."""
    kept, counts, _ = talk("s\nf\n\np\n\n", limit=2)
    assert ([k.sample_id for k in kept], counts.shown) == (["s2"], 2)


def test_the_tree_and_the_whole_reply_are_shown_and_obeyed_by_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Line by line, with control characters escaped."""
    _, _, said = talk("q\n")
    assert "(1) s1 · check tone\n" in said
    assert "reply, in full:\n  reply 1\n  \\x1b[2Jend\n" in said
    shown = capsys.readouterr().out
    assert "job support · completed" in shown
    assert "\x1b" not in said + shown


def test_a_run_with_another_output_by_now_is_told_and_not_shown() -> None:
    """Nor is one that is gone."""
    kept, counts, said = talk("p\n\n", about=(wanted(1, "before"), wanted(2)))
    assert ([k.sample_id for k in kept], counts.changed) == (["s2"], ["run-1"])
    assert "s1" not in said
    assert talk("", find=lambda _: None)[1].changed == ["run-1", "run-2", "run-3"]
