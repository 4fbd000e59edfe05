"""The nearest name of a mistaken one."""

from grader.nearest import nearest


def test_a_close_name_is_proposed() -> None:
    """A slip of the finger is recognised, and what resembles nothing is left alone."""
    assert nearest("otput", ("status", "output")) == "; did you mean 'output'?"
    assert nearest("xyz", ("status", "output")) == ""
