"""The process from which answers are forked."""

from pathlib import Path

import psutil
import pytest

from collector.answer import frames
from collector.answer.root import Root
from collector.store.errors import StoreError


def check(root: Root, text: str) -> object:
    """Have a statement judged by a fork."""
    with root.fork() as peer:
        frames.send(peer, {"check": text, "relations": []})
        return frames.receive(peer)


def process(root: Root) -> psutil.Process:
    """The process itself."""
    assert root._process is not None
    return psutil.Process(root._process.pid)


def test_it_holds_nothing_and_is_there_again_after_its_end(monkeypatch: pytest.MonkeyPatch):
    """It has no environment and an empty folder, which goes with it; killed, it is started anew; closed, it is gone."""
    monkeypatch.setenv("TRACEGRADE_SECRET", "s")
    root = Root()
    try:
        assert check(root, "SELECT 1") == {}
        first = process(root)
        assert "SECRET" not in str(first.environ())
        folder = Path(first.cwd())
        assert list(folder.iterdir()) == []
        assert check(root, "DELETE FROM spans") == {"refused": "Only SELECT statements are allowed here, not DELETE."}
        first.kill()
        psutil.wait_procs([first], 10)
        assert check(root, "SELECT 1") == {}
        second = process(root)
        assert second.pid != first.pid
    finally:
        root.close()
    assert not first.is_running()
    assert not second.is_running()
    assert not folder.exists()


def test_what_cannot_start_is_said():
    """A root that ends at once is an error with a sentence, not a wait."""
    root = Root("raise SystemExit")
    with pytest.raises(StoreError, match="No process"):
        root.fork()
    root.close()
