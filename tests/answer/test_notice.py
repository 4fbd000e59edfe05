"""The note beside the store."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from collector.answer import notice
from collector.answer.notice import Notice


def test_a_note_comes_back_and_is_private(tmp_path: Path):
    """What is left is found, readable by its owner alone, and gone after it was taken away."""
    store = tmp_path / "a.duckdb"
    left = Notice(os.getpid(), "http://127.0.0.1:1", "tgo_x", "http://127.0.0.1:2")
    notice.leave(store, left)
    assert notice.find(store) == left
    assert stat.S_IMODE(notice.place(store).stat().st_mode) == 0o600
    notice.take_away(store)
    assert notice.find(store) is None
    assert list(tmp_path.iterdir()) == []


def test_a_note_of_a_dead_process_is_ignored(tmp_path: Path):
    """A collector that was killed leaves a note that counts for nothing, and that nobody else takes away."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    notice.leave(tmp_path / "a", Notice(dead.pid, "http://127.0.0.1:1", "t"))
    assert notice.find(tmp_path / "a") is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"pid": "x", "read": 1}', "\0"])
def test_a_damaged_note_is_ignored(tmp_path: Path, text: str):
    """Whatever stands in the file, the store can still be opened."""
    notice.place(tmp_path / "a").write_text(text)
    assert notice.find(tmp_path / "a") is None
