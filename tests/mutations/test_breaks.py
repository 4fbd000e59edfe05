"""The table of breaks is true to the code, and names every rule."""

import re
from pathlib import Path

import pytest

from tests.mutations.breaks import ROOT, Break, breaks

RULES = {"S0": 32, "S1": 27, "S2": 58, "S3": 48, "S4": 28}
"""Numbered rules of each vocabulary."""

NO_LINE: dict[str, str] = {}
"""Rules that no line of ours holds, with the reason; they have tests all the same."""

BREAKS = list(breaks())


@pytest.mark.parametrize("found", BREAKS, ids=lambda b: f"{b.rule}-{Path(b.file).stem}")
def test_each_break_still_fits_the_code(found: Break) -> None:
    """The line that it breaks stands once in its file, and the break changes it."""
    text = (ROOT / found.file).read_text(encoding="utf-8")
    assert found.applied(text) != text


def test_every_rule_has_a_break() -> None:
    """A rule whose code nobody tried to break may be tested by nothing."""
    rules = {f"{vocabulary}-{number}" for vocabulary, last in RULES.items() for number in range(1, last + 1)}
    assert rules - {found.rule for found in BREAKS} - set(NO_LINE) == set()


def test_every_rule_has_a_test_that_bears_its_number() -> None:
    """`pytest --collect-only` shows each of them."""
    names = " ".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests/grader/rules").glob("test_*.py"))
    found = set(re.findall(r"def test_(S\d)_(\d\d)", names)) | set(re.findall(r"_(S\d)_(\d\d)", names))
    wanted = {(vocabulary, f"{number:02d}") for vocabulary, last in RULES.items() for number in range(1, last + 1)}
    assert wanted - found == set()


def test_a_break_that_no_longer_fits_says_so() -> None:
    """Where its line is gone, or stands more than once, nobody would know what was broken."""
    found = Break("S0-1", "grader/x.py", "a = 1", "a = 2")
    assert found.applied("a = 1\n") == "a = 2\n"
    for text in ("b = 1\n", "a = 1\na = 1\n"):
        with pytest.raises(ValueError, match=r"S0-1: grader/x\.py holds 'a = 1'"):
            found.applied(text)
