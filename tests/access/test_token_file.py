"""Files of tokens."""

import logging
import os
from pathlib import Path

import pytest

from collector.access.token_file import TokenFile
from collector.access.tokens import digest
from collector.errors import UserError

FIRST, SECOND = "a" * 24, "b" * 40


def write(path: Path, text: str) -> None:
    """Replace the file by renaming, as orchestrators do."""
    draft = path.with_suffix(".new")
    draft.write_text(text)
    draft.replace(path)


def test_each_line_is_a_token(tmp_path: Path):
    """Empty lines, comments and blanks around a token are left out."""
    path = tmp_path / "tokens"
    path.write_text(f"# exporters\n{FIRST}\n\n  {SECOND} \r\n")
    assert TokenFile(str(path), "ingest").digests() == (digest(FIRST), digest(SECOND))


def test_a_change_is_in_force_at_once(tmp_path: Path):
    """Rotation: the next request after a change is judged by what the file says then; an emptied file has no tokens."""
    path = tmp_path / "tokens"
    path.write_text(FIRST)
    file = TokenFile(str(path), "read")
    write(path, f"{FIRST}\n{SECOND}")
    assert len(file.digests()) == 2
    write(path, SECOND)
    assert file.digests() == (digest(SECOND),)
    write(path, "")
    assert file.digests() == ()


def test_a_change_of_no_use_leaves_what_was(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """While the file is gone or holds nonsense the tokens stay in force; the log says so without quoting the file."""
    path = tmp_path / "tokens"
    path.write_text(FIRST)
    file = TokenFile(str(path), "ingest")
    path.unlink()
    assert file.digests() == (digest(FIRST),)
    with caplog.at_level(logging.ERROR):
        write(path, "hunter2")
        assert file.digests() == (digest(FIRST),)
    assert "line 1" in caplog.text
    assert "hunter2" not in caplog.text


@pytest.mark.parametrize("text", ["short", "x" * 23, "two words in a line are none", "ü" * 30, FIRST + "\nshort"])
def test_what_could_be_guessed_is_refused(tmp_path: Path, text: str):
    """A token that is short, or could not stand in a header, is told by its line and never quoted."""
    path = tmp_path / "tokens"
    path.write_text(text)
    with pytest.raises(UserError, match=r"tokens, line \d: a token has at least 24") as caught:
        TokenFile(str(path), "ingest")
    assert text.splitlines()[-1] not in str(caught.value)


@pytest.mark.skipif(os.name != "posix", reason="folders are no files there either, with other words")
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path):
    """A missing file and one that is no text are told with their path."""
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe")
    for path in (tmp_path / "missing", tmp_path, binary):
        with pytest.raises(UserError, match=f"{path}, cannot be read"):
            TokenFile(str(path), "ingest")


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such rights")
def test_a_file_that_others_may_change_is_not_used(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """At the start it is refused; where it becomes so later, what was read before stays in force (X-33)."""
    path = tmp_path / "tokens"
    path.write_text(FIRST)
    path.chmod(0o644)  # readable: some orchestrators know no other way
    file = TokenFile(str(path), "ingest")
    draft = path.with_suffix(".new")
    draft.write_text(SECOND)
    draft.chmod(0o666)
    draft.replace(path)
    assert file.digests() == (digest(FIRST),)
    assert "chmod go-w" in caplog.text
    with pytest.raises(UserError, match=r"ingest tokens.*chmod go-w"):
        TokenFile(str(path), "ingest")
