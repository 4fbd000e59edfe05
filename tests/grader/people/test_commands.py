"""The commands `label` and `agreement` as the program runs them."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.cli import main
from tests.grader.people.stores import project, stored

Ran = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ran:
    """Runs a command in the test's folder: its exit code, and what it wrote."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.argv", ["tracegrade", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        told = capsys.readouterr()
        return int(ended.value.code or 0), told.out, told.err

    return run


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("label", "--store", "missing.duckdb"), "There is no store at missing.duckdb"),
        (("label", "missing.yaml"), "missing.yaml"),
        (("label", "--export", "a.jsonl", "--import", "b.jsonl"), "name one of them, and no suite"),
        (("label", "evalstone.yaml", "--export", "a.jsonl"), "name one of them, and no suite"),
        (("label", "--import", "missing.jsonl"), "missing.jsonl cannot be read"),
        (("label", "--scale", "1"), "--scale"),
        (("agreement",), "SUITE"),
        (("agreement", "evalstone.yaml"), "No check of these suites asks a judge"),
    ],
    ids=lambda a: " ".join(a) if isinstance(a, tuple) else "",
)
def test_what_the_user_does_wrong_is_a_message_and_exit_code_2(
    arguments: tuple[str, ...], told: str, ran: Ran, tmp_path: Path
) -> None:
    """Nothing is left behind."""
    project(tmp_path, {"c": {"type": "human"}})
    code, _, err = ran(*arguments)
    assert code == 2
    assert told in err
    assert {p.name for p in tmp_path.iterdir()} == {"evalstone.yaml", "d.jsonl"}


def test_agreement_without_ask_needs_no_key(ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is asked, so there is nothing to compare, which the exit code says."""
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    stored(tmp_path, ["done"])
    project(tmp_path, {"polite": {"type": "judge", "rubric": "r"}}, samples=1)
    code, out, err = ran("agreement", "evalstone.yaml", "--check", "tone")
    assert (code, err) == (2, "")
    why = "nothing to compare: 1 output without a label; `tracegrade label` asks for some"
    assert out == f"main: polite and labels of 'tone'\n  {why}\n"


def test_labels_are_moved_by_name(ran: Ran, tmp_path: Path) -> None:
    """Out of one store's file and in again; an empty name is none."""
    stored(tmp_path, ["done"])
    (tmp_path / "in.jsonl").write_text(
        '{"sample_id": "s1", "output_hash": "a4c3ed04a95a3da1", "passed": true, "check": "tone"}\n'
    )
    assert ran("label", "--import", "in.jsonl") == (0, "in.jsonl: 1 label, 1 new\n", "")
    assert ran("label", "--export", "out.jsonl", "--check", "tone") == (0, "out.jsonl: 1 label\n", "")
    assert ran("label", "--export", "out.jsonl", "--check", "") == (0, "out.jsonl: 0 labels\n", "")


@pytest.mark.parametrize("command", ["label", "agreement"])
def test_a_suite_with_functions_of_its_own_needs_the_switch(
    command: str, ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it the file is told to be wrong, and nothing of it runs."""
    store = stored(tmp_path)
    (tmp_path / "mine.py").write_text(
        "from pathlib import Path\nfrom grader.code import check\n\nPath('ran').touch()\n\n\n"
        "@check('brief')\ndef brief(sample, output):\n    return len(output.text) < 20\n",
        encoding="utf-8",
    )
    path = project(tmp_path, {"tone": {"type": "judge", "rubric": "r"}})
    config = json.loads(path.read_text(encoding="utf-8"))
    config |= {"imports": ["mine"], "suites": {"main": {"dataset": "d", "checks": ["tone", "brief"]}}}
    path.write_text(json.dumps(config), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    code, _, err = ran(command, str(path), "--store", store)
    assert (code, "--allow-code" in err, (tmp_path / "ran").exists()) == (2, True, False)
    _, _, err = ran(command, str(path), "--store", store, "--allow-code")
    assert "brief" not in err
