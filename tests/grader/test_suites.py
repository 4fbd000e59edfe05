"""Reading suite files: by content, all mistakes of all files at once."""

from pathlib import Path

import pytest

from collector import UserError
from grader.mistakes import SuiteError
from grader.suites import read_suites
from tests.grader.suites import DATA


def test_a_format_is_recognised_by_content(tmp_path: Path) -> None:
    """Whatever the file is called."""
    odd = tmp_path / "odd.txt"
    odd.write_text((DATA / "minimal.yaml").read_text())
    assert [s.format for s in read_suites([odd])] == ["native"]


def test_the_mistakes_of_all_files_are_told(tmp_path: Path) -> None:
    """A missing file, one that is no text, one in no known format, one with mistakes."""
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "other.yaml").write_text("hello: 1\n")
    paths = [tmp_path / "missing.yaml", tmp_path / "binary", tmp_path / "other.yaml", DATA / "many_mistakes.yaml"]
    with pytest.raises(SuiteError) as raised:
        read_suites([*paths, DATA / "minimal.yaml"])
    assert {m.path for m in raised.value.mistakes} == {str(p) for p in paths}


def test_an_unknown_format_is_told_with_the_nearest() -> None:
    """It is the command line that is wrong, not the file."""
    with pytest.raises(UserError, match="did you mean 'native'"):
        read_suites([DATA / "minimal.yaml"], "nativ")
