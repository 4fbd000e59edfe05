"""The other side: what is asked of the process, its limits, and what happens when it is lost."""

import gc
import os
import time
from pathlib import Path

import pytest

from grader.code.process import MOST_ENDED, CodeProcess, Permission
from grader.outcome import BrokeError
from tests.grader.own_code import ALLOWED, OWN, QUICK, beside


def decide(process: CodeProcess, function: str, **given: object) -> object:
    """Whether the function passes it."""
    return process.call(function, do="decide", function=function, given=given)["passed"]


def test_one_process_serves_all_calls() -> None:
    """It is started at the first request, and ends with the object."""
    process = CodeProcess(OWN, ALLOWED)
    assert process._child is None
    assert process.ask(do="find", function="tone.polite") == {"wants": ["reply"]}
    child = process._child
    assert child is not None
    assert [decide(process, "tone.polite", reply=r) for r in ("please", "now", "\ud800 \x00")] == [True, False, False]
    assert process._child is child
    del process
    gc.collect()
    assert child.process.returncode is not None


def test_a_lost_process_is_started_anew_with_what_was_imported() -> None:
    """One call is lost, and the next is answered."""
    process = CodeProcess(OWN, QUICK)
    for function in ("tone.hangs", "tone.polite"):
        process.ask(do="find", function=function)
    with pytest.raises(BrokeError, match=r"^tone\.hangs was ended: it took longer than 0\.5 s$"):
        decide(process, "tone.hangs", reply="x")
    assert decide(process, "tone.polite", reply="please") is True


def test_only_ends_in_a_row_keep_a_function_from_being_called(tmp_path: Path) -> None:
    """A call that returns in between starts the count anew."""
    source = "import os\ndef f(reply):\n    return os._exit(7) if reply == 'die' else True\n"
    process = CodeProcess(beside(tmp_path, deadly=source), ALLOWED)
    process.ask(do="find", function="deadly.f")

    def call(reply: str) -> str:
        try:
            return str(decide(process, "deadly.f", reply=reply))
        except BrokeError as error:
            return str(error)

    died = "deadly.f ended its process (exit code 7)"
    assert [call(r) for r in ("die", "die", "live", "die")] == [died, died, "True", died]
    assert [call("die") for _ in range(MOST_ENDED - 1)] == [died] * (MOST_ENDED - 1)
    assert call("live") == "deadly.f is not called any more: it had to be ended 3 times in a row"


def test_a_source_that_changed_meanwhile_gives_no_verdict(tmp_path: Path) -> None:
    """A process that is started anew would run other code than the case's hash says."""
    process = CodeProcess(beside(tmp_path), ALLOWED)
    process.ask(do="find", function="tone.polite")
    assert process.hash == process.hash != ""
    (tmp_path / "tone.py").write_text("def polite(reply):\n    return True\n")
    assert process._child is not None
    process._child.end()
    with pytest.raises(
        BrokeError, match=r"tone\.polite cannot be called: its module has changed since the suite was read"
    ):
        decide(process, "tone.polite", reply="now")


def test_what_a_function_started_ends_with_it(tmp_path: Path) -> None:
    """A call that is ended leaves no program behind."""
    source = (
        "import subprocess, sys\nfrom pathlib import Path\ndef f(reply):\n"
        "    child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "    Path(reply).write_text(str(child.pid))\n    child.wait()\n"
    )
    process = CodeProcess(beside(tmp_path, starts=source), Permission(seconds=3))
    process.ask(do="find", function="starts.f")
    with pytest.raises(BrokeError, match="took longer"):
        decide(process, "starts.f", reply=str(tmp_path / "pid"))
    pid = int((tmp_path / "pid").read_text())
    end = time.monotonic() + 30
    while _runs(pid) and time.monotonic() < end:
        time.sleep(0.02)
    assert not _runs(pid)


def _runs(pid: int) -> bool:
    """Whether it does; a process that nobody has asked for its exit code yet does not."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_a_module_that_never_ends_its_import_is_a_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a limit of its own."""
    monkeypatch.setattr("grader.code.process.IMPORT_SECONDS", 1.5)
    process = CodeProcess(beside(tmp_path, endless="while True:\n    pass\n"), QUICK)
    answer = process.ask(do="find", function="endless.f")
    assert answer == {"mistake": "was ended: it took longer than 1.5 s while it was imported"}


def test_where_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite has a mistake; nothing passes."""
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    answer = CodeProcess(OWN, ALLOWED).ask(do="find", function="tone.polite")
    assert answer["mistake"].startswith("cannot be imported: no process can be started")
