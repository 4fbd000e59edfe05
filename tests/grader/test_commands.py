"""What `grade` and `lint` do, over a real store file."""

from pathlib import Path

import orjson
import pytest

from collector import StoreError, UserError, connect
from collector.decode import traces_protobuf
from grader.commands import Against, Asked, explain, grade, lint
from grader.results import extension
from tests.grader.own_code import beside
from tests.grader.spans import Trace
from tests.grader.suites import DATA

ALL = Asked(include_open=True)


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A store with one run that was asked hello."""
    path = str(tmp_path / "t.duckdb")
    with connect(path, extensions=[extension()]) as opened:
        trace = Trace(1)
        trace.agent(1, "support", asked="hello")
        opened.ingest(traces_protobuf(trace.body())).result()  # ty: ignore
    return path


def test_text_and_exit_code(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A passing gate ends 0; a pipe gets no colours."""
    assert grade([DATA / "minimal.yaml"], store, ALL, [extension()]) == 0
    out = capsys.readouterr().out
    assert "gate passed: 1 case, 1 sample" in out
    assert "\x1b" not in out


def test_json_and_junit(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both at once; JSON alone on standard output."""
    junit = tmp_path / "report.xml"
    grade([DATA / "minimal.yaml"], store, ALL, [extension()], as_json=True, junit=junit)
    assert orjson.loads(capsys.readouterr().out)["exit_code"] == 0
    assert junit.read_text().startswith("<?xml")


def test_no_sample_is_exit_code_2(store: str) -> None:
    """Selecting nothing is no pass."""
    asked = Asked(since="2100-01-01", include_open=True)
    assert grade([DATA / "minimal.yaml"], store, asked, [extension()]) == 2


def test_what_the_user_does_wrong_is_a_message(store: str, tmp_path: Path) -> None:
    """A bad time, a store that is not there, a folder to write to that is not there, a bad suite."""
    with pytest.raises(UserError, match="--since"):
        grade([DATA / "minimal.yaml"], store, Asked(since="yesterday"), [])
    with pytest.raises(StoreError, match="no store"):
        grade([DATA / "minimal.yaml"], str(tmp_path / "none.duckdb"), ALL, [])
    with pytest.raises(UserError, match="cannot be written"):
        grade([DATA / "minimal.yaml"], store, ALL, [extension()], junit=tmp_path / "no" / "x.xml")
    with pytest.raises(UserError, match=r"many_mistakes\.yaml:3"):
        grade([DATA / "many_mistakes.yaml"], store, ALL, [])


def test_lint(capsys: pytest.CaptureFixture[str]) -> None:
    """A line a sound suite; the schema for editors on demand."""
    assert lint([DATA / "refunds.yaml"], Against(), [], schema=False) == 0
    assert "'refunds' is sound: 2 cases, 13 checks" in capsys.readouterr().out
    assert lint([], Against(), [], schema=True) == 0
    assert orjson.loads(capsys.readouterr().out)["title"] == "Suite"


VOCABULARIES = DATA.parent / "vocabularies"


def test_lint_tells_what_a_suite_asks_in_vain(capsys: pytest.CaptureFixture[str]) -> None:
    """The suite is sound all the same."""
    assert lint([VOCABULARIES / "agentlasso" / "suites" / "several.json"], Against(), []) == 0
    out = capsys.readouterr().out
    assert "'support' is sound: 2 cases, 1 checks\n  not read: 'project'\n" in out
    assert "  'refund': guardrails not read: `checks` stands in their place\n" in out


def test_the_newest_runs_alone_where_they_are_asked_for(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A scenario check has ten samples at most: eleven runs are refused, and `--latest` takes the newest."""
    with connect(store, extensions=[extension()]) as opened:
        for number in range(2, 13):
            trace = Trace(number)
            trace.agent(1, "support", asked="Refund", at=number * 100)
            if number == 12:
                trace.tool(2, 1, "refund", {}, "ok")
            opened.ingest(traces_protobuf(trace.body())).result()  # ty: ignore
    check = tmp_path / "check.yaml"
    check.write_text("scenarios: [{id: r, input: Refund}]\nassertions: [{type: tool_called, tool: refund}]\n")
    assert grade([check], store, ALL, [extension()]) == 2
    assert "11 runs answer the scenarios" in capsys.readouterr().out
    assert grade([check], store, Asked(include_open=True, latest=True), [extension()]) == 0
    assert "run Pass: 1 scenario, 1 of 1 sample passed" in capsys.readouterr().out


def test_lint_against_a_store_warns(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Of names that no trace has shown; the suite is sound all the same."""
    assert lint([DATA / "refunds.yaml"], Against(store=store), [extension()]) == 0
    out = capsys.readouterr().out
    line = (
        "refunds.yaml:13: case 'refunds after a lookup', check 1 (called): warning: no stored trace has shown the tool"
    )
    assert f"{line} 'orders.lookup'" in out
    assert "the agent 'summarizer'" in out
    assert "is sound" in out


def test_lint_against_an_empty_store_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every name would be unknown there."""
    path = tmp_path / "empty.duckdb"
    connect(path, extensions=[extension()]).close()
    assert lint([DATA / "refunds.yaml"], Against(store=str(path)), [extension()]) == 0
    captured = capsys.readouterr()
    assert ("warning" in captured.out, "holds no run" in captured.err) == (False, True)


def test_lint_against_a_manifest_refuses_what_cannot_be_reached(tmp_path: Path) -> None:
    """All such names of all suites at once."""
    suite = tmp_path / "s.yaml"
    suite.write_text(
        "tracegrade: 1\nsuite: s\nselect: {agent: summarizer}\ncases:\n"
        "  - name: a\n    expect:\n      - called: llm.complet\n      - not_called: [email.send]\n"
    )
    with pytest.raises(UserError) as raised:
        lint([suite], Against(manifest=DATA / "agents.yaml"), [])
    lines = str(raised.value).splitlines()
    assert [line.removeprefix(str(suite)).partition(" ")[0] for line in lines] == [":7:", ":8:"]
    assert "did you mean 'llm.complete'?" in lines[0]


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    """A tree for people, or JSON with all suites, and always exit code 0."""
    paths = [DATA / "minimal.yaml", DATA / "refunds.yaml"]
    assert explain(paths) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("smallest (")
    assert "refunds after a lookup" in shown
    assert explain(paths, as_json=True) == 0
    told = orjson.loads(capsys.readouterr().out)["suites"]
    assert [s["name"] for s in told] == ["smallest", "refunds"]


def test_own_functions_with_the_limit_of_the_settings(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A function that hangs is an error after `code_seconds`; without the switch nothing is graded by code."""
    monkeypatch.setenv("TRACEGRADE_CODE_SECONDS", "0.5")
    monkeypatch.setenv("COLUMNS", "400")  # so that no sentence is folded
    suite = beside(tmp_path / "own") / "suite.yaml"
    suite.write_text("tracegrade: 1\nsuite: s\ncases: [{name: a, expect: [{python: tone.hangs}]}]\n")
    assert grade([suite], store, Asked(include_open=True, allow_code=True), [extension()]) == 2
    assert "tone.hangs was ended: it took longer than 0.5 s" in capsys.readouterr().out
    assert grade([suite], store, ALL, [extension()]) == 2
    assert "only with --allow-code" in capsys.readouterr().out
