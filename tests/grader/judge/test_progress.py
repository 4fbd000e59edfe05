"""The line that tells how far judges are."""

import pytest

from grader.judge.progress import Progress
from grader.judge.tally import Tally


def test_one_line_that_is_written_anew(capsys: pytest.CaptureFixture[str]) -> None:
    """It ends with the last answer; a cost that is not known is left out."""
    tell = Progress()
    tell(Tally(usd=0.5), 1, 2)
    tell(Tally(usd=None), 2, 2)
    assert capsys.readouterr().err == "\rjudges: 1 of 2, $0.5000\x1b[K\rjudges: 2 of 2\x1b[K\n"
