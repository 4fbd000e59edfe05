"""`tracegrade show` by every kind of id."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import TRACEGRADE, Command, clean_environment
from tests.terminal import on_terminal

CAPTURE = "pydantic-ai-v5-simple__native__delegate"


@pytest.fixture
def run(tracegrade: Command, store: Path) -> dict[str, str]:
    """The run of the capture."""
    return json.loads(tracegrade("runs", "--json", "--agent", "triage_agent", "--store", store).stdout)


def test_every_kind_of_id(tracegrade: Command, run: dict[str, str], store: Path) -> None:
    """A run id, a trace id and the beginning of one show the same tree."""
    trees = {
        tracegrade("show", i, "--store", store).stdout for i in (run["run_id"], run["trace_id"], run["run_id"][:8])
    }
    assert len(trees) == 1
    tree = trees.pop()
    assert "job triage_agent" in tree
    assert "job refunds_agent" in tree
    assert "lookup_order" in tree


def test_machines_get_the_same_shape_as_trees(
    tracegrade: Command, run: dict[str, str], store: Path, data: Path
) -> None:
    """`show --json` and `trees --json` say the same about the same spans."""
    shown = json.loads(tracegrade("show", run["run_id"], "--json", "--store", store).stdout)
    assert shown == json.loads(tracegrade("trees", "--json", data / "captures" / CAPTURE).stdout)


def test_unknown_id(tracegrade: Command, run: dict[str, str], store: Path) -> None:
    """An id that nothing has ends with a message and exit code 2."""
    done = tracegrade("show", "ffffffff", "--store", store)
    assert (done.returncode, done.stdout) == (2, "")
    assert "No run or trace begins with ffffffff" in done.stderr


@pytest.mark.parametrize("width", [60, 110])
def test_the_tree_fits_the_terminal(run: dict[str, str], store: Path, tmp_path: Path, width: int) -> None:
    """On a terminal the tree is coloured and each line is cut at its width; in a pipe it is plain."""
    command = [*TRACEGRADE, "show", run["run_id"], "--store", str(store)]
    env = clean_environment() | {"TERM": "xterm"}
    code, shown = on_terminal(command, tmp_path, env, width)
    plain = re.sub(r"\x1b\[[\d;]*m", "", shown)
    assert code == 0
    assert plain != shown
    assert max(map(len, plain.splitlines())) <= width
    assert "…" in plain
    piped = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
    assert "\x1b" not in piped


PARTS = {
    "constraints": ("text", "constraint no personal data leaves the EU", "constraints"),
    "approvals": ("tool, decision, source, reason", "approval refund · approve by human: small", "approvals"),
    "skill_reads": ("name, resource", "skill refund-policy limits.md", "skills"),
    "retrievals": ("query", "retrieval refund limits → 1 documents", "retrievals"),
    "messages": ("role, text", "assistant Refunded.", "messages"),
}
"""Table → columns to look at, its line in `show`, its name in the tree."""


@pytest.fixture(scope="module")
def parts(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of one run in which each of these parts occurs."""
    path = tmp_path_factory.mktemp("parts") / "parts.duckdb"
    command = [*TRACEGRADE, "load", "--store", str(path), str(data / "parts")]
    subprocess.run(command, env=clean_environment(), check=True, capture_output=True, timeout=120)
    return path


@pytest.mark.parametrize("table", PARTS)
def test_every_part_is_in_its_table_in_the_tree_and_shown(tracegrade: Command, parts: Path, table: str) -> None:
    """Constraints, approvals, skills, retrievals and messages are told in SQL, in `show` and in its JSON."""
    columns, line, name = PARTS[table]
    rows = json.loads(tracegrade("sql", "--format", "json", f"SELECT {columns} FROM {table}", "--store", parts).stdout)
    assert line in tracegrade("show", "0a0a", "--messages", "--store", parts).stdout
    job = json.loads(tracegrade("show", "0a0a", "--json", "--store", parts).stdout)["job"]
    assert len(rows) == len(job[name]) == (4 if table == "messages" else 1)
    assert all(str(value) in line for value in rows[-1].values())


def test_conversations_are_shown_where_asked_for(tracegrade: Command, parts: Path) -> None:
    """With --messages each job has its conversation, in order; without, people see the tree alone."""
    shown = tracegrade("show", "0a0a", "--messages", "--store", parts).stdout
    _, _, talk = shown.partition("4 messages\n")
    assert [line.strip(" │├└─") for line in talk.splitlines()] == [
        "user Refund A-1", "assistant → refund", "tool refund done", "assistant Refunded.",
    ]  # fmt: skip
    assert "4 messages" not in tracegrade("show", "0a0a", "--store", parts).stdout
