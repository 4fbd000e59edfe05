"""`python`: functions of the author's own on a native suite, and what they may and may not do."""

from pathlib import Path
from typing import Any

import pytest

from grader.asking import Answers
from grader.checks.python import Function, Registered
from grader.code.process import CodeProcess
from grader.formats import native
from grader.grading import grade_suite
from grader.inputs import Inputs
from grader.outcome import Result
from grader.part import Judge, Terms
from grader.workers import Crew
from tests.grader.evalstone_files import run as asked_run
from tests.grader.own_code import ALLOWED, OWN, QUICK, beside, mistakes, plain, stone
from tests.grader.test_workers import graded, once_ready, reports, stored
from tests.grader.trees import candidate, captured, child, job, scene


def results(suite: Any, context: Any = None, **root: Any) -> list[Result]:
    """The results of the case's functions on one run, without the implied status."""
    inputs = Inputs(context={} if context is None else {"a": context})
    (sample,) = grade_suite(suite, [candidate(job(**root))], id="g", now=0, inputs=inputs).samples
    return [r for r in sample.results if r.kind == "python"]


def test_without_the_switch_nothing_runs_and_nothing_passes(tmp_path: Path) -> None:
    """The module need not even be there: the check is not graded, and says which switch is missing."""
    suite = plain(tmp_path, "nowhere.at_all", allowed=None)
    grading = grade_suite(suite, [candidate()], id="g", now=0)
    (sample,) = grading.samples
    assert [(r.kind, r.outcome) for r in sample.results] == [("python", "not_graded"), ("status", "pass")]
    assert (sample.outcome, list(sample.flags)) == ("indeterminate", ["partially_graded"])
    assert grading.decision.exit_code == 2
    assert any("only with --allow-code" in notice for notice in grading.notices)
    assert "--allow-code" in sample.results[0].sentence


def test_functions_are_given_what_they_take_by_name() -> None:
    """A run, its reply as text, the facts of the fixture; a score's reason is told."""
    suite = plain(OWN, "tone.polite", "tone.looked_up", "tone.amount", "tone.with_default", "deep.checks.fine")
    found = results(suite, {"amount": 5}, reply="5, please")
    assert [(r.outcome, r.value) for r in found] == [
        ("pass", 1.0), ("fail", 0.0), ("pass", 1.0), ("pass", 1.0), ("pass", 1.0),
    ]  # fmt: skip
    assert found[1].sentence == "tone.looked_up did not pass it: called []"


def test_what_was_not_captured_is_not_given() -> None:
    """A function that asks for it is not called, and the check is open, never passed."""
    suite = plain(OWN, "tone.with_default", "tone.amount", "tone.looked_up")
    found = results(suite, reply=None, capture=captured(reply="absent"))
    assert [r.outcome for r in found] == ["indeterminate", "indeterminate", "fail"]
    assert found[0].sentence == "tone.with_default cannot be asked: the reply was not captured"
    (without,) = results(plain(OWN, "tone.amount"), reply="5")
    assert without.sentence == "tone.amount cannot be asked: no context was given or recorded"


def test_what_breaks_is_an_error_without_data() -> None:
    """The type and the line of an exception; a score without a verdict is what the suite says of the unknown."""
    suite = plain(OWN, "tone.raises", "tone.undecided", head="unknown: fail")
    raises, undecided = results(suite, reply="done")
    assert (raises.outcome, raises.value) == ("error", None)
    assert raises.sentence == "tone.raises raised ZeroDivisionError (line 28 of tone.py)"
    assert (undecided.outcome, undecided.sentence) == ("fail", "tone.undecided could not decide: hard to say")


def test_inside_a_child_the_run_is_that_of_the_child(tmp_path: Path) -> None:
    """Its job is the root of what the function is given."""
    folder = beside(tmp_path, who="def agent(run, reply):\n    return (run.root.agent, reply) == ('helper', 'hi')\n")
    process = CodeProcess(folder, ALLOWED)
    takes = tuple(process.ask(do="find", function="who.agent")["wants"])
    check = Function(function="who.agent", takes=takes, code=process.hash, process=process)
    below = child("helper", reply="hi")
    top = scene(jobs=[below])
    assert (check.decide(top).truth, check.decide(top.at(below)).truth) == (False, True)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("tone.pollite", "the module 'tone' has no function 'pollite'"),
        ("tone.LENGTH", "the module 'tone' has no function 'LENGTH'"),
        ("nowhere.at_all", "there is no module 'nowhere' beside the suite, and none is installed"),
        ("tone.sample_and_output", "must take one or more of run, reply and context, by these names, and nothing else"),
        ("tone.later", "must be a plain function: it is async, or a generator"),
    ],
)
def test_mistakes_are_told_when_the_suite_is_read(function: str, message: str) -> None:
    """With their place."""
    (found,) = mistakes(plain, OWN, function)
    assert found == f"cases[0].expect[0]: {function}: {message}"


def test_a_changed_source_is_another_case(tmp_path: Path) -> None:
    """Also where only a module changed that the function's module imports from beside the suite."""
    folder = beside(tmp_path)
    first = stone(folder, "no_apology")
    assert stone(folder, "no_apology").hash == first.hash
    (folder / "words.py").write_text('SORRY = "apolog"\n')
    second = stone(folder, "no_apology")
    assert second.cases[0].hash != first.cases[0].hash
    polite = plain(folder, "tone.polite")
    (folder / "tone.py").write_text("def polite(reply):\n    return True\n")
    assert plain(folder, "tone.polite").cases[0].hash != polite.cases[0].hash


def test_a_sample_s_metadata_is_part_of_what_a_function_looks_at(tmp_path: Path) -> None:
    """So another one is another case, unlike with checks that cannot see it."""
    folder = beside(tmp_path)
    one, other = (stone(folder, "half", sample={"metadata": {"n": n}}) for n in (1, 2))
    assert one.cases[0].hash != other.cases[0].hash
    assert isinstance(one.cases[0].expect[0].primitive, Registered)


def test_a_function_that_never_returns_is_ended() -> None:
    """At the limit; after three times in a row it is not called any more, and the others go on."""
    suite = plain(OWN, "tone.hangs", "tone.polite", allowed=QUICK)
    runs = [candidate(job(reply="please"), id=f"run-{n}") for n in range(4)]
    samples = grade_suite(suite, runs, id="g", now=0).samples
    told = [s.results[0].sentence for s in samples]
    assert told[:3] == ["tone.hangs was ended: it took longer than 0.5 s"] * 3
    assert told[3] == "tone.hangs is not called any more: it had to be ended 3 times in a row"
    assert {s.results[0].outcome for s in samples} == {"error"}
    assert {s.results[1].outcome for s in samples} == {"pass"}


def test_several_processes_make_the_same_reports_as_one(tmp_path: Path) -> None:
    """Each worker reads the suite with the same permission, and has a process of its own for the functions."""
    folder = beside(tmp_path)
    items = "[{python: tone.looked_up}, {python: tone.raises}, {reply: {contains: done}}]"
    text = f"tracegrade: 1\nsuite: s\ncases:\n  - {{name: r, request: Refund, expect: {items}}}\n"
    suite = native.read(folder / "suite.yaml", text, ALLOWED)
    rows = stored(24)
    alone = graded(Crew(1), suite, [[row] for row in rows], len(rows))
    with Crew(2, many=0) as crew:
        together = graded(crew, suite, once_ready(crew, rows), len(rows))
        assert crew.handed > 0
    assert {s.results[0].outcome for s in alone.samples} == {"pass", "fail"}
    assert reports(together) == reports(alone)


def test_evalstone_functions_see_sample_output_and_context() -> None:
    """All fields of the sample, the run's attributes, the tree; what a score says of cost and time is kept."""
    suite = stone(OWN, "scored", sample={"metadata": {"who": "w"}, "tags": ["t"]})
    judge = Judge(suite, Terms(now=0), answers=Answers())
    sample = judge.judge(suite.cases[0], asked_run(attributes={"region": "eu"}))
    (result,) = sample.results
    assert (result.outcome, result.value) == ("pass", 0.75)
    assert result.sentence == "scored passed it with 0.75: s w ['t'] eu support"
    assert (result.cost_usd, result.seconds, result.cached) == (0.01, 2.0, False)
