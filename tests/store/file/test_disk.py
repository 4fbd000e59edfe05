"""Bytes reach the file in full, at their place."""

import os
from pathlib import Path

import pytest

from collector.store.file.disk import durable, flush, write_at


def test_all_bytes_are_written_at_their_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A system that takes three bytes at a time gets all of them, and what stands around them stays."""
    path = tmp_path / "f"
    path.write_bytes(b"." * 20)
    write, taken = os.write, list[int]()

    def three(file: int, data: memoryview) -> int:
        taken.append(write(file, data[:3]))
        return taken[-1]

    file = os.open(path, os.O_RDWR)
    monkeypatch.setattr(os, "write", three)
    write_at(file, b"0123456789", 5)
    monkeypatch.undo()
    flush(file)
    os.close(file)
    assert path.read_bytes() == b".....0123456789....."
    assert taken == [3, 3, 3, 1]


def test_files_and_folders_are_flushed(tmp_path: Path):
    """Both can be flushed; what is not there is an error of the system."""
    (tmp_path / "f").touch()
    durable(tmp_path / "f")
    durable(tmp_path)
    with pytest.raises(FileNotFoundError):
        durable(tmp_path / "g")
