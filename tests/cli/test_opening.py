"""What the user can put right is told, and what is our fault is not hidden."""

import pytest
import typer

from collector.cli.opening import fail, told
from collector.errors import UserError
from collector.store.errors import NotAStore


@pytest.mark.parametrize("error", [UserError("use another"), NotAStore("use another")])
def test_errors_for_people_end_with_their_message(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    """The errors of the collector and of its store become a line and exit code 2."""
    with pytest.raises(typer.Exit) as ended, told():
        raise error
    assert ended.value.exit_code == 2
    assert capsys.readouterr().err == "tracegrade: use another\n"


def test_other_errors_stay_what_they_are() -> None:
    """A fault of the program keeps its traceback."""
    with pytest.raises(ZeroDivisionError), told():
        _ = 1 // 0


def test_messages_do_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Names that a message quotes are escaped, and its lines stay lines (X-09)."""
    with pytest.raises(typer.Exit):
        fail("no \x1b[2J\nat all")
    assert capsys.readouterr().err == "tracegrade: no \\x1b[2J\nat all\n"
