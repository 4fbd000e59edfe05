"""Names of functions and skills in expectations."""

from pathlib import Path

import pytest

from grader.expectations.names import functions, skills
from grader.syntax.foreign import Sheet


def read(text: str) -> Sheet:
    """A file with this value of `n`."""
    return Sheet(Path("f.yaml"), f"n: {text}")


@pytest.mark.parametrize(
    ("text", "found"), [("a.b", ["a.b"]), ("[a.b, c.d, a.b]", ["a.b", "c.d"]), ("oz.skill", ["oz.skill"]), ("[]", [])]
)
def test_functions(text: str, found: list[str]) -> None:
    """One or several, each once."""
    sheet = read(text)
    assert functions(sheet.fields(), "n") == found
    assert sheet.mistakes == []


@pytest.mark.parametrize("name", ["b", ".b", "a.", "oz.plan", "oz.skills"])
def test_what_is_no_function_with_a_step(name: str) -> None:
    """Is a mistake where it stands."""
    sheet = read(f"[a.b, {name}]")
    functions(sheet.fields(), "n")
    (mistake,) = sheet.mistakes
    assert (mistake.line, mistake.field) == (1, "n")
    assert repr(name) in mistake.message


@pytest.mark.parametrize(
    ("name", "sound"), [("a/b", True), ("a/b/c", True), ("b", False), ("/b", False), ("a/", False)]
)
def test_skills(name: str, sound: bool) -> None:
    """With their plugin."""
    sheet = read(name)
    assert skills(sheet.fields(), "n") == [name]
    assert (sheet.mistakes == []) is sound
