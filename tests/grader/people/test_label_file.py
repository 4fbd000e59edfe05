"""Files of labels."""

from pathlib import Path

import pytest

from collector import UserError
from grader.people.label import to_line
from grader.people.label_file import read, write
from tests.grader.people.stores import label


def test_a_file_comes_back_as_it_was_written(tmp_path: Path) -> None:
    """In its order, each label with its line; blank lines and a byte order mark are nothing."""
    labels = [label("s", "a"), label("s", "a", False, notes="später"), label("t", "b")]
    path = tmp_path / "labels.jsonl"
    write(path, labels)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes() + b"\n  \n")
    assert read(path).labels == list(enumerate(labels, 1))


def test_lines_that_are_no_labels_lose_none_beside_them(tmp_path: Path) -> None:
    """Each is told with its line."""
    path = tmp_path / "labels.jsonl"
    path.write_bytes(b"{\n" + to_line(label("s", "a")) + b'\n{"sample_id": "s", "output_hash": "x"}\n')
    found = read(path)
    assert found.labels == [(2, label("s", "a"))]
    assert [(b.line, b.whose is None) for b in found.broken] == [(1, True), (3, False)]


def test_files_that_cannot_be_read_or_written_are_messages(tmp_path: Path) -> None:
    """A missing one, one that is no text, a folder that is not there."""
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match=r"none\.jsonl cannot be read: No such file"):
        read(tmp_path / "none.jsonl")
    with pytest.raises(UserError, match="not a text file in UTF-8"):
        read(tmp_path / "binary")
    with pytest.raises(UserError, match="cannot be written"):
        write(tmp_path / "no" / "labels.jsonl", [])
