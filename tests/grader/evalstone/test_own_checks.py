"""Functions that the modules of `imports:` register, as checks of an evalstone file."""

from pathlib import Path

import pytest

from tests.grader.evalstone_files import grade, run
from tests.grader.own_code import OWN, beside, mistakes, stone


def test_its_functions_are_contract_checks() -> None:
    """A failed one spares the judges (S2-57)."""
    suite = stone(OWN, "no_apology", "j", checks={"j": {"type": "judge", "rubric": "r"}}, suite={"short_circuit": True})
    assert [c.circuit for c in suite.cases[0].expect] == ["breaks", "spared"]


def test_a_module_that_cannot_be_imported_is_a_mistake_at_its_place(tmp_path: Path) -> None:
    """All at once, with the checks that are therefore missing."""
    folder = beside(tmp_path, raises="1 / 0")
    found = mistakes(stone, folder, "no_apology", "zzz", imports=["mychecks", "raises", "nowhere"])
    assert found == [
        "imports[1]: raises: raised ZeroDivisionError (line 1 of raises.py) when it was imported",
        "imports[2]: nowhere: there is no module 'nowhere' beside the suite, and none is installed",
        "suites.main.checks[1]: no check is called 'zzz'",
    ]


@pytest.mark.parametrize("arguments", ["sample", "sample, output, ctx, more", "*, sample, output"])
def test_a_function_that_cannot_be_called_is_a_mistake(tmp_path: Path, arguments: str) -> None:
    """Also where no suite asks for it."""
    source = f"from evalstone import check\n@check\ndef f({arguments}):\n    return True\n"
    found = mistakes(stone, beside(tmp_path, odd=source), imports=["odd"])
    assert found == ["imports: odd.f must take (sample, output), or (sample, output, ctx)"]


def test_a_whole_file_with_a_gate(tmp_path: Path) -> None:
    """Means by the function's key; errors are out of the mean and count for `max_error_rate`."""
    gate = {"min_mean_score": {"half": 0.5}, "max_error_rate": 0.5}
    suite = stone(beside(tmp_path), "half", "raises", suite={"gate": gate})
    assert grade(suite, run()).decision.verdict == "passed"
    strict = stone(tmp_path, "half", "raises", suite={"gate": gate | {"max_error_rate": 0.4}})
    assert grade(strict, run()).decision.verdict == "failed"
