"""Reading suite files: by content, all mistakes of all files at once."""

from pathlib import Path

import pytest

from collector import UserError
from grader.pieces import scan
from grader.suites import read_suites
from grader.syntax.mistakes import SuiteError
from tests.grader.suites import DATA

VOCABULARIES = DATA.parent / "vocabularies"


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


def test_a_file_that_cannot_be_read_says_where(tmp_path: Path) -> None:
    """What is in no format because it is broken is told as broken."""
    (tmp_path / "broken").write_text('{"cases": [\n')
    with pytest.raises(SuiteError, match="not YAML"):
        read_suites([tmp_path / "broken"])


def test_a_file_that_nobody_knows_is_told_by_what_each_format_is_known(tmp_path: Path) -> None:
    """The message names every format."""
    (tmp_path / "other.yaml").write_text("hello: 1\n")
    with pytest.raises(SuiteError, match="is in no known format") as raised:
        read_suites([tmp_path / "other.yaml"])
    assert all(name in str(raised.value) for name in scan("grader.formats", "FORMAT"))
    assert "native: the key `tracegrade: 1`" in str(raised.value)


EXAMPLES = sorted(path for path in VOCABULARIES.glob("*/suites/**/*") if path.suffix in (".yaml", ".json"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: str(p.relative_to(VOCABULARIES)))
def test_each_example_is_known_by_one_format_alone(path: Path) -> None:
    """The case files in `tests/data/vocabularies/FORMAT/suites` are recognised by that format and no other."""
    text = path.read_text(encoding="utf-8")
    found = [f.name for f in scan("grader.formats", "FORMAT").values() if f.recognises(text)]
    assert found == [path.relative_to(VOCABULARIES).parts[0]]
