"""Labels from a person to the store and through files, beside whoever has the store open."""

import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from collector import connect
from grader.people import stored
from grader.people.label import Label, to_line
from grader.people.label_file import read, write
from grader.people.labelling import Asked, export_labels, import_labels, label
from grader.results import extension
from tests.conftest import TRACEGRADE, Collector, Command, clean_environment
from tests.grader.people import stores
from tests.grader.spans import Trace

OURS = [extension()]


def kept(store: str) -> list[Label]:
    with connect(store, extensions=OURS) as opened:
        return stored.every(opened)


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What standard input holds."""
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_piped_answers_become_labels(tmp_path: Path, typed: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The newest run first; the next time only what was skipped is shown, and in the end nothing."""
    store = stores.stored(tmp_path)
    typed("p\nnice\ns\nf\n\n")
    assert label([], store, Asked(labeler="ann"), OURS) == 0
    assert capsys.readouterr().out.endswith("2 labels recorded, 1 skipped\n")
    assert [(k.sample_id, k.passed, k.notes, k.labeler) for k in kept(store)] == [
        ("s3", True, "nice", "ann"),
        ("s1", False, None, "ann"),
    ]
    typed("p\n\n")
    label([], store, Asked(), OURS)
    assert "(1) s2\n" in capsys.readouterr().out
    label([], store, Asked(), OURS)
    assert "No output was without a label" in capsys.readouterr().out
    typed("f\n\n")
    label([], store, Asked(again=True, limit=1), OURS)
    assert [(k.sample_id, k.passed) for k in kept(store)][2:] == [("s2", True), ("s3", False)]
    assert kept(store)[2].labeler


def test_a_suites_labels_pass_its_gate(tmp_path: Path, typed: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """What was an error before; a level passes by the rule of judges. Files that will not be read are told."""
    from grader import commands

    store = stores.stored(tmp_path)
    checks = {"tone": {"type": "human", "check": "tone"}, "mine": {"type": "human", "labels": "mine.jsonl"}}
    path = stores.project(tmp_path, checks)
    write(tmp_path / "labels.jsonl", [])
    write(tmp_path / "mine.jsonl", [stores.label(f"s{n}", text) for n, text in enumerate(stores.REPLIES, 1)])
    everything = commands.Asked(include_open=True)
    assert commands.grade([path], store, everything, OURS) == 1
    typed("5\n\n4\n\n4\n\n")
    capsys.readouterr()
    assert label([path], store, Asked(scale=5), OURS) == 0
    told = capsys.readouterr()
    assert f"once the store has labels, {tmp_path / 'labels.jsonl'} is not read" in told.err
    assert [(k.check, k.suite, k.case, k.raw) for k in kept(store)] == [
        ("tone", "main", "s1", "5/5"),
        ("tone", "main", "s2", "4/5"),
        ("tone", "main", "s3", "4/5"),
    ]
    assert commands.grade([path], store, everything, OURS) == 0


def test_a_check_that_reads_a_file_says_how_labels_come_there(
    tmp_path: Path, typed: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are recorded in the store."""
    store = stores.stored(tmp_path, ["done"])
    path = stores.project(tmp_path, {"mine": {"type": "human", "labels": "mine.jsonl"}}, samples=1)
    typed("p\n\n")
    label([path], store, Asked(), OURS)
    assert "a check of it reads mine.jsonl: --export writes it" in capsys.readouterr().err
    export_labels(tmp_path / "mine.jsonl", store, None, OURS)
    assert [one for _, one in read(tmp_path / "mine.jsonl").labels] == kept(store)


def test_labels_go_out_and_come_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All or those of one check; what the store has already is not taken in again, so nothing older wins."""
    store, other = stores.stored(tmp_path, ["done"]), str(tmp_path / "other.duckdb")
    first, second = stores.label("s1", "done", check="tone", created_at=1_000), stores.label("s1", "done", False)
    with connect(store, extensions=OURS) as opened:
        stored.append(opened, [first, second])
    file, toned = tmp_path / "all.jsonl", tmp_path / "tone.jsonl"
    assert export_labels(file, store, None, OURS) == 0
    assert [one for _, one in read(file).labels] == [first, second]
    export_labels(toned, store, "tone", OURS)
    assert [one for _, one in read(toned).labels] == [first]
    export_labels(toned, store, "", OURS)
    assert [one for _, one in read(toned).labels] == [second]
    with connect(other, extensions=OURS):
        pass
    for told in ("2 labels, 2 new", "2 labels, 0 new"):
        assert import_labels(file, other, None, OURS) == 0
        assert told in capsys.readouterr().out
    assert kept(other) == [first, second]
    import_labels(toned, other, "kind", OURS)
    assert [one.check for one in kept(other)] == ["tone", None, "kind"]


def test_lines_that_are_no_labels_are_told_and_the_others_come_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each with file and line; the exit code says that something is missing."""
    store, file = stores.stored(tmp_path, ["done"]), tmp_path / "labels.jsonl"
    file.write_bytes(b"[]\n" + to_line(stores.label("s1", "done")) + b"\n{}\n")
    assert import_labels(file, store, None, OURS) == 2
    told = capsys.readouterr()
    assert "1 label, 1 new" in told.out
    assert f"{file}:1 is no label: must be one JSON object a line, is a list\n" in told.err
    assert f"{file}:3 is no label: sample_id: is missing" in told.err
    assert len(kept(store)) == 1


def test_in_a_terminal(tmp_path: Path) -> None:
    """A person reads the question before typing; an interrupt (Ctrl-C) ends in order, and what was said is kept."""
    store = stores.stored(tmp_path)
    ours, theirs = pty.openpty()
    command = [*TRACEGRADE, "label", "--store", store, "--labeler", "ann"]
    env = clean_environment()
    with subprocess.Popen(command, env=env, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        try:
            shown = _until(ours, "q(uit): ")
            os.write(ours, b"p\n")
            shown += _until(ours, "note (Enter: none): ")
            os.write(ours, "schön\n".encode())
            shown += _until(ours, "q(uit): ")
            process.send_signal(signal.SIGINT)
            shown += _until(ours, "1 label recorded\r\n")
            assert process.wait(60) == 0
        finally:
            process.kill()
    os.close(ours)
    assert "(1) s3" in shown
    assert "job support" in re.sub(r"\x1b\[\d+m", "", shown)
    assert "recorded: passed (p)" in shown
    assert "Traceback" not in shown
    assert [(k.sample_id, k.notes) for k in kept(store)] == [("s3", "schön")]


def _until(terminal: int, wanted: str) -> str:
    """What the terminal is sent up to these words."""
    shown = b""
    while wanted.encode() not in shown:
        ready, _, _ = select.select([terminal], [], [], 60)
        assert ready, f"still waiting for {wanted!r} after {shown.decode()!r}"
        shown += os.read(terminal, 65_536)
    return shown.decode()


def test_beside_a_running_collector(collector: Collector, tracegrade: Command, tmp_path: Path) -> None:
    """The collector has the file open, so that labels go through it; by its path as by what `--store` says."""
    trace = Trace(1)
    trace.agent(1, "support", asked="hello 1", reply="done")
    url = f"http://127.0.0.1:{collector.http}/v1/traces"
    headers = {"Content-Type": "application/x-protobuf"}
    urllib.request.urlopen(urllib.request.Request(url, trace.body(), headers), timeout=30).close()
    command = [*TRACEGRADE, "label", "--store", str(collector.store), "--scale", "3"]
    said = "3\nfine\n"
    env = clean_environment()
    done = subprocess.run(command, env=env, input=said, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 label recorded" in done.stdout
    (row,) = json.loads(tracegrade("sql", "SELECT raw, value, notes FROM labels", "--format", "json").stdout)
    assert row == {"raw": "3/3", "value": 1.0, "notes": "fine"}
