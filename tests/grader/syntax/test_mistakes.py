"""Mistakes are told in order, each once."""

from grader.syntax.mistakes import Mistake, SuiteError


def test_mistakes_are_sorted_and_unique() -> None:
    """By file and line, as an editor lists them."""
    twice = Mistake("b.yaml", 3, "x", "wrong")
    error = SuiteError([twice, Mistake("a.yaml", 9, "", "the file is empty"), twice])
    assert str(error) == "a.yaml:9: the file is empty\nb.yaml:3: x: wrong"
