"""Rules S2-22, S2-54 and S2-55 about functions of the author's own, which run only with the switch."""

import sys
from pathlib import Path
from typing import Any

import pytest

from grader.code import check
from grader.code.process import Permission
from grader.code.registry import KeyMistakeError, Registry
from grader.code.score import NotAScoreError, as_score
from tests.grader.evalstone_files import grade, run
from tests.grader.own_code import OWN, beside, mistakes, stone


@pytest.mark.parametrize(
    ("key", "outcome", "value", "sentence"),
    [
        ("no_apology", "pass", 1.0, "no_apology passed it"),
        ("half", "fail", 0.5, "half did not pass it with 0.5"),
        ("whole", "pass", 1.0, "whole passed it"),
        ("lambda", "fail", 0.0, "lambda did not pass it"),
        ("raises", "error", None, "raises raised KeyError (line 36 of mychecks.py)"),
        (
            "nothing",
            "error",
            None,
            "nothing returned nothing (None); a check returns a Score, true or false, or a number",
        ),
        ("text", "error", None, "text returned a str; a check returns a Score, true or false, or a number from 0 to 1"),
        ("beyond", "error", None, "beyond returned a number that is not from 0 to 1"),
        ("cannot", "error", None, "cannot could not score: no reference"),
        ("undecided", "error", None, "undecided could not decide: hard to say"),
        ("leaves", "error", None, "leaves raised SystemExit (line 66 of mychecks.py)"),
        ("dies", "error", None, "dies ended its process (exit code 3)"),
        ("hangs", "error", None, "hangs was ended: it took longer than 2 s"),
    ],
)
def test_S2_22_what_a_function_returns(key: str, outcome: str, value: Any, sentence: str) -> None:
    """A boolean, a number that passes from 1, a Score; all else is an error, and the next is called all the same."""
    suite = stone(OWN, key, "c", "lambda" if key == "whole" else "whole", allowed=Permission(2))
    found, _, after = grade(suite, run()).samples[0].results
    assert (found.outcome, found.value, after.outcome) == (outcome, value, "fail" if key == "whole" else "pass")
    assert found.sentence.startswith(sentence)


def test_S2_22_a_third_argument_is_the_context_of_the_run() -> None:
    """A Score passes as it says, whatever its value; without the reply there is no output to look at."""
    suite = stone(OWN, "scored", sample={"metadata": {"who": "w"}})
    (found,) = grade(suite, run(attributes={"region": "eu"})).samples[0].results
    assert (found.outcome, found.value, found.sentence) == (
        "pass", 0.75, "scored passed it with 0.75: s w [] eu support",
    )  # fmt: skip
    (missing,) = grade(suite, run(reply=None, capture={"reply": "absent"})).samples[0].results
    assert (missing.outcome, missing.sentence) == ("error", "scored cannot be scored: the reply was not captured")


def test_S2_22_a_number_is_the_value_and_passes_from_1() -> None:
    """Beyond 0 to 1 it is none, since a mean of such values would say nothing."""
    assert [(s.value, s.passed) for s in map(as_score, (0, 0.99, 1, 1.0))] == [
        (0.0, False), (0.99, False), (1.0, True), (1.0, True),
    ]  # fmt: skip
    for beyond in (1.01, -1, float("nan")):
        with pytest.raises(NotAScoreError, match="not from 0 to 1"):
            as_score(beyond)


def test_S2_22_a_lambda_needs_a_key() -> None:
    """It has no name that a suite could use; a function has its own."""
    with pytest.raises(KeyMistakeError, match="needs a key"):
        check(lambda sample, output: sample == output)


def test_S2_54_with_the_switch_the_functions_of_modules_are_checks(tmp_path: Path) -> None:
    """Of modules beside the file first, under their keys; a module that nobody listed registers nothing."""
    folder = beside(
        tmp_path,
        other="from evalstone import check\n@check\ndef long(sample, output):\n    return len(output.text) > 3\n",
    )
    suite = stone(folder, "no_apology", "long", "c", imports=["mychecks", "other"])
    assert [(r.check, r.kind, r.outcome) for r in grade(suite, run()).samples[0].results] == [
        ("no_apology", "python", "pass"),
        ("long", "python", "pass"),
        ("c", "exact", "pass"),
    ]
    assert [r.outcome for r in grade(suite, run(reply="sorry")).samples[0].results] == ["fail", "pass", "fail"]
    (found,) = mistakes(stone, folder, "long")
    assert found == "suites.main.checks[0]: no check is called 'long'; did you mean 'nothing'?"
    assert not {"mychecks", "other", "words", "evalstone"} & set(sys.modules)


def test_S2_54_without_the_switch_no_module_is_imported(tmp_path: Path) -> None:
    """Not even looked at."""
    (tmp_path / "trap.py").write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\n")
    stone(tmp_path, "c", imports=["trap"], allowed=None)
    assert mistakes(stone, tmp_path, "no_apology", imports=["trap"], allowed=None) != []
    assert not (tmp_path / "sprung").exists()


def test_S2_55_importing_a_module_again_replaces_its_functions(tmp_path: Path) -> None:
    """Listed twice, and changed between two readings; the changed function makes another case."""
    source = "from evalstone import check\n@check('key')\ndef f(sample, output):\n    return {}\n"
    first = stone(beside(tmp_path, again=source.format(True)), "key", imports=["again", "again"])
    second = stone(beside(tmp_path, again=source.format(False)), "key", imports=["again", "again"])
    outcomes = [grade(suite, run()).samples[0].outcome for suite in (second, stone(tmp_path, "key", imports="again"))]
    assert outcomes == ["fail", "fail"]
    assert first.cases[0].hash != second.cases[0].hash


def test_S2_55_a_module_s_next_execution_is_what_replaces() -> None:
    """Not the same one going on, and not another module of whatever age."""

    def function(module: str, execution: object) -> Any:
        scope: dict[str, Any] = {"__name__": module, "__spec__": execution}
        exec("def f(sample, output): ...", scope)
        return scope["f"]

    first, second, registry = object(), object(), Registry()
    registry.add("key", function("m", first))
    for module, execution in (("m", first), ("n", first), ("n", second)):
        with pytest.raises(KeyMistakeError, match="two functions have the key 'key'"):
            registry.add("key", function(module, execution))
    again = function("m", second)
    registry.add("key", again)
    assert registry.checks["key"].function is again


def test_S2_55_another_function_under_the_same_key_is_a_mistake(tmp_path: Path) -> None:
    """Of another module, of the same module, or of the file itself."""
    source = "from evalstone import check\n@check('half')\ndef f(sample, output):\n    return True\n"
    folder = beside(tmp_path, second=source, twice=source + source, own=source.replace("half", "c"))
    assert mistakes(stone, folder, "half", imports=["mychecks", "second"]) == [
        "imports[1]: second: two functions have the key 'half': mychecks.half and second.f"
    ]
    assert mistakes(stone, folder, imports=["twice"]) == [
        "imports[0]: twice: two functions have the key 'half': twice.f and twice.f"
    ]
    assert mistakes(stone, folder, "c", imports=["own"]) == ["checks.c: own.f has the key 'c', too"]
