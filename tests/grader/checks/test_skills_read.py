"""`skills_read`: each skill was read, somewhere in the tree."""

from typing import Any

import pytest

from collector.tree import SkillRead
from grader.checks.skills_read import SkillsReadItem
from grader.forms import Defaults
from grader.outcome import Finding, Truth
from grader.scene import Scene
from tests.grader.trees import captured, child, job, run, scene

POLICY = SkillRead("support/refund-policy", spans=["b" * 16])
GUESSED = SkillRead("refund-policy", declared=False)


def decide(where: Scene, *skills: str, **more: Any) -> Finding:
    form = {"skills_read": list(skills)} | more
    return SkillsReadItem.model_validate(form).compile(Defaults()).decide(where)


def test_each_skill_must_have_been_read() -> None:
    """Other reads are fine, and the sentence tells what was read instead."""
    where = scene(skills=[POLICY, SkillRead("support/tone")])
    assert decide(where, "support/refund-policy").truth is True
    assert decide(where, "support/refund-policy").spans == ["b" * 16]
    miss = decide(where, "support/refund-policy", "support/other")
    assert (miss.truth, miss.value) == (False, 0.5)
    assert miss.sentence == "support/other was not read; read were support/refund-policy, support/tone"
    assert decide(scene(), "support/tone").sentence == "support/tone was not read; no skill was"


def test_reads_that_were_not_captured_may_have_been() -> None:
    """A read that was seen proves it all the same."""
    lost = captured(skills="absent")
    assert decide(scene(capture=lost), "support/tone").truth is None
    assert decide(scene(capture=lost, skills=[POLICY]), "support/refund-policy").truth is True
    assert "not captured" in decide(scene(capture=lost), "support/tone").sentence


@pytest.mark.parametrize(("scope", "truth"), [("tree", True), ("job", False)])
def test_a_delegated_job_may_have_read_it(scope: str, truth: Truth) -> None:
    """The whole tree counts, unless the job alone is meant."""
    where = Scene(run(job(jobs=[child("helper", skills=[POLICY])])))
    assert decide(where, "support/refund-policy", scope=scope).truth is truth


def test_declared_evidence_may_be_asked_for() -> None:
    """A read inferred from a file's path counts where nothing else is said."""
    where = scene(skills=[GUESSED])
    assert decide(where, "refund-policy").truth is True
    strict = decide(where, "refund-policy", declared=True)
    assert (strict.truth, "inferred from the path" in strict.sentence) == (False, True)
    assert decide(scene(skills=[GUESSED, POLICY]), "refund-policy", declared=True).truth is True


def test_a_skill_of_an_unknown_plugin_leaves_it_open() -> None:
    """It is neither taken for the one asked for nor ruled out."""
    assert decide(scene(skills=[GUESSED]), "support/refund-policy").truth is None
