"""The snippets: complete, of one form, and code that at least parses."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from collector.cli import instrumentation
from collector.cli.instrumentation import find, known_by, snippets, switches
from collector.errors import UserError
from collector.normalize.dialects import DIALECTS
from tests.conftest import Collector, Command, clean_environment
from tests.node import compile_and_run

ALL = list(snippets().values())
RUNNABLE = ("opentelemetry", "tracegrade")
"""Snippets that need nothing but what the tests install: these are run."""


def blocks(text: str, language: str) -> list[str]:
    """The code of one language in a printed snippet."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("dialect", [dialect.name for dialect in DIALECTS])
def test_each_dialect_has_a_snippet(dialect: str) -> None:
    """Whatever the normalizer understands, somebody can be told how to switch on."""
    assert any(dialect in snippet.dialects for snippet in ALL), (
        f"add collector/cli/snippets/<framework>.md for {dialect}"
    )


def test_snippets_name_dialects_that_exist_and_no_name_twice() -> None:
    """A dialect in a snippet is one of ours, and every name leads to one snippet."""
    assert {name for s in ALL for name in s.dialects} <= {dialect.name for dialect in DIALECTS}
    names = [name for s in ALL for name in (s.name, *s.also)]
    assert len(names) == len(set(names))
    assert all(s.content in ("on", "off") and s.switch and s.by and s.title for s in ALL)


@pytest.mark.parametrize("snippet", ALL, ids=lambda s: s.name)
def test_code_parses(snippet: instrumentation.Snippet) -> None:
    """Python compiles, shell is shell, TOML and JSON are that, and nothing else is in a fence."""
    text = snippet.printed()
    for code in blocks(text, "python"):
        ast.parse(code)
    for code in blocks(text, "sh"):
        assert subprocess.run(["bash", "-n"], input=code, text=True, capture_output=True, check=True).stderr == ""
    for code in blocks(text, "toml"):
        tomllib.loads(code)
    for code in blocks(text, "json"):
        json.loads(code)
    fences = re.findall(r"^```(\w*)$", text, re.MULTILINE)
    assert {f for f in fences if f} <= {"python", "sh", "toml", "json", "typescript"}
    assert len(fences) % 2 == 0
    assert "{{" not in text


@pytest.mark.parametrize("snippet", ALL, ids=lambda s: s.name)
def test_the_address_is_that_of_the_collector(snippet: instrumentation.Snippet) -> None:
    """Each snippet sends to the collector's address, whatever that is, and leaves no default one behind."""
    text = snippet.printed("http://collector:1111", "http://collector:2222")
    assert "http://collector:1111" in text or "http://collector:2222" in text
    assert "localhost" not in text


@pytest.mark.parametrize("name", RUNNABLE)
def test_snippets_that_can_run_deliver_a_run(name: str, collector: Collector, tracegrade: Command) -> None:
    """Run as it is printed, the snippet's agent is in the store, with its name."""
    (code,) = blocks(find(name).printed(http=f"http://127.0.0.1:{collector.http}"), "python")
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    (run,) = [json.loads(line) for line in tracegrade("runs", "--json").stdout.splitlines()]
    assert (run["agent"], run["service"]) == ("my_agent", "my-agent")


def test_typescript_compiles_and_runs(tmp_path: Path) -> None:
    """The snippet that needs OpenTelemetry's packages alone is compiled and run with those of the example."""
    (code,) = blocks(find("vercel").printed(), "typescript")
    compile_and_run({"snippet.ts": code}, tmp_path, "snippet.js")


def test_names_are_found_as_people_write_them() -> None:
    """Case, underscores and other names do not matter; a wrong name is answered with the nearest."""
    assert find("LangGraph").name == "langchain"
    assert find("google_adk").name == "google-adk"
    with pytest.raises(UserError, match=r"no snippet for pydantic\. Did you mean pydantic-ai\?"):
        find("pydantic")


def test_a_generic_switch_gives_way() -> None:
    """The conventions' own switch is named only where nothing more specific is known of the traces."""
    assert [s.name for s in known_by(["semconv"])] == ["opentelemetry"]
    assert [s.name for s in known_by(["google_adk", "semconv"])] == ["google-adk"]
    assert [s.name for s in known_by(["tracegrade", "semconv"])] == ["opentelemetry"]
    assert known_by([]) == []


def test_a_switch_is_told_once() -> None:
    """Frameworks that are instrumented alike share a switch."""
    told = switches(known_by(["agno", "openinference"]))
    assert list(told.values()) == [["Agno", "Anything with an OpenInference instrumentation"]]
    assert "OPENINFERENCE_HIDE_INPUTS" in next(iter(told))


def test_a_file_of_another_form_is_a_mistake_of_ours(tmp_path: Path) -> None:
    """A misspelt fact stops the program with the file's name."""
    path = tmp_path / "new.md"
    path.write_text("# New\ndialect: agno\n\ntext\n")
    with pytest.raises(RuntimeError, match=r"new\.md"):
        instrumentation._facts(path)
