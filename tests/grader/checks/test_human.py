"""`human`: a person's label decides, and nothing else does."""

import pytest

from grader.asking import Answer, LabelWanted
from grader.checks.human import Human, output_hash
from grader.scene import Scene
from tests.grader.judge.answering import asks, decided, nobody
from tests.grader.trees import captured, child, job, run, scene

TONE = Human(check="tone")


def said(passed: bool, value: float, **more: str | None) -> Answer:
    """A label."""
    return Answer(value={"passed": passed, "value": value, "notes": None, "labeler": None} | more)


def test_a_hash_is_of_the_text() -> None:
    """The first 16 hex digits of its sha256, whatever characters it has."""
    assert output_hash("") == "e3b0c44298fc1c14"
    assert output_hash("done") == "a4c3ed04a95a3da1"
    assert len(output_hash("\ud800")) == 16


def test_it_asks_for_the_sample_the_run_and_the_output() -> None:
    """A run that names no case is a sample of its own."""
    (wanted,) = asks(TONE, scene())
    assert wanted == LabelWanted(
        sample="run-1", output_hash=output_hash("done"), check="tone", run="run-1", source="center"
    )
    (named,) = asks(TONE, Scene(run(case_name="c")))
    assert isinstance(named, LabelWanted)
    assert named.sample == "c"


def test_of_a_child_it_asks_for_the_childs_output() -> None:
    """With the sample of the whole."""
    whole = Scene(run(job(jobs=[child("writer", reply="written")])))
    whole.sample = "c"
    (wanted,) = asks(TONE, whole.at(whole.job.jobs[0]))
    assert isinstance(wanted, LabelWanted)
    assert (wanted.sample, wanted.output_hash) == ("c", output_hash("written"))


@pytest.mark.parametrize(("passed", "value"), [(True, 0.75), (False, 0.5)])
def test_the_label_decides(passed: bool, value: float) -> None:
    """Its pass, not its value; who said so and why is told."""
    finding = decided(TONE, scene(), lambda _: said(passed, value, notes="curt", labeler="ann"))
    assert (finding.truth, finding.value) == (passed, value)
    assert finding.sentence == f"a person's verdict on 'tone' by ann: {'passed' if passed else 'failed'}: curt"


def test_without_a_label_or_a_reply_it_is_open() -> None:
    """With the reason."""
    finding = decided(TONE, scene(), nobody("the store has none"))
    assert (finding.truth, finding.value) == (None, None)
    assert finding.sentence == "a person's verdict on 'tone' is not graded: the store has none"
    unseen = scene(reply=None, capture=captured(reply="absent"))
    assert asks(TONE, unseen) == []
    assert decided(TONE, unseen, nobody()).truth is None
    assert Human(check=None).decide(scene()).sentence == "a person's verdict is not graded: no judge was asked"


def test_the_folder_is_no_part_of_the_definition() -> None:
    """A project may be moved; another file of labels is another check."""
    assert Human(check=None, source="a.jsonl", folder="x") == Human(check=None, source="a.jsonl", folder="y")
    assert Human(check=None, source="a.jsonl") != Human(check=None, source="b.jsonl")
