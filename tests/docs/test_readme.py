"""The README is true: its commands run, its answers are real, and nothing that exists is missing."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from collector import config, connect
from grader.facts import FACTS
from grader.lint.manifest import read_manifest
from grader.operators import OPERATORS, read_pattern
from grader.results import extension
from tests.conftest import TRACEGRADE, Command, clean_environment
from tests.docs import answers, generate
from tests.docs.readme import README, Block, blocks, part
from tests.grader.judge.api import Api, serving
from tests.node import compile_and_run

TEXT = README.read_text()
BLOCKS = blocks(TEXT)
CAN_FAIL = {"tracegrade grade tone.yaml": 0, "tracegrade grade": 1}
"""Commands of the README that end with another code than 0: the demo's suite fails its gate."""


def of(language: str) -> list[Block]:
    """The blocks of one language."""
    return [block for block in BLOCKS if block.language == language]


def line(block: Block) -> str:
    """The id of a block's test."""
    return f"line {block.line}"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the demo's store."""
    folder = tmp_path_factory.mktemp("demo")
    answers.demo_store(folder)
    return folder


@pytest.fixture(scope="module")
def desk(demo: Path, data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reader's folder: the demo's store and suite, and exported files."""
    folder = tmp_path_factory.mktemp("desk")
    shutil.copy(demo / "tracegrade.duckdb", folder)
    shutil.copy(answers.SUITE, folder)
    shutil.copytree(data / "captures" / "pydantic-ai-v5__native__refund", folder / "exported")
    for block in BLOCKS:
        if re.fullmatch(r"[\w-]+\.\w+", block.note):
            (folder / block.note).write_text(block.text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def judges() -> Iterator[Api]:
    """A server that speaks the Messages API."""
    with serving() as api:
        yield api


@pytest.mark.parametrize("name", generate.PARTS)
def test_generated_parts_are_up_to_date(name: str) -> None:
    """Tables, settings, codes and dialects are those of the code (else: python -m tests.docs.generate)."""
    assert part(TEXT, name) == generate.PARTS[name]().strip()


def test_answers_are_real(demo: Path) -> None:
    """The tree, the queries' answers and the suite are what the commands give (else: python -m tests.docs.answers)."""
    assert answers.answered(TEXT, demo) == TEXT


def test_there_are_five_queries() -> None:
    """At least five useful queries are shown with their answers."""
    assert len(of("sql")) >= 5


@pytest.mark.parametrize("block", of("sh"), ids=line)
def test_shell_commands_run(block: Block, desk: Path, judges: Api) -> None:
    """Every shell command of the README runs in a folder with a store, exported files and its suites; judges answer."""
    if block.text.strip() == "tracegrade serve":
        with answers.serving(desk) as ports:
            assert set(ports) == {"gRPC", "HTTP"}
        return
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for command in block.text.strip().splitlines():
        run = ["bash", "-ec", command]
        env = clean_environment() | {"PATH": path, "ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": judges.url}
        nothing = subprocess.DEVNULL  # nobody types
        done = subprocess.run(
            run, cwd=desk, env=env, stdin=nothing, capture_output=True, text=True, timeout=120, check=False
        )
        expected = next((code for start, code in CAN_FAIL.items() if command.startswith(start)), 0)
        assert done.returncode == expected, f"{command}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("block", of("python"), ids=line)
def test_python_examples_run(block: Block, tmp_path: Path, tracegrade: Command) -> None:
    """Each Python example runs; one with an exporter delivers its span to a collector."""
    with answers.serving(tmp_path) as ports:
        env = clean_environment() | {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{ports['gRPC']}"}
        command = [sys.executable, "-W", "error", "-c", block.text]
        run = partial(subprocess.run, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60, check=False)
        done = run(command)
        assert (done.returncode, done.stderr) == (0, "")
        if "Exporter" in block.text:
            assert '"support_agent"' in tracegrade("runs", "--json").stdout


@pytest.mark.parametrize("block", of("typescript"), ids=line)
def test_typescript_examples_run(block: Block, tmp_path: Path, tracegrade: Command) -> None:
    """The TypeScript example compiles, runs, and delivers its span to a collector."""
    with answers.serving(tmp_path) as ports:
        folder = tmp_path / "example"
        folder.mkdir()
        endpoint = f"http://127.0.0.1:{ports['HTTP']}"
        compile_and_run({"readme.ts": block.text}, folder, "readme.js", OTEL_EXPORTER_OTLP_ENDPOINT=endpoint)
        assert '"support_agent"' in tracegrade("runs", "--json").stdout


def test_collector_configuration_points_at_our_port() -> None:
    """The OpenTelemetry Collector's example is YAML whose pipelines use the exporter that it defines."""
    config = YAML(typ="safe").load(of("yaml")[0].text)
    assert config["exporters"]["otlp/tracegrade"]["endpoint"].endswith(":4317")
    assert all(p["exporters"] == ["otlp/tracegrade"] for p in config["service"]["pipelines"].values())


def test_settings_are_ones(tmp_path: Path) -> None:
    """The example of a settings file is taken, and says that readers elsewhere and TLS are wanted."""
    (tmp_path / "tracegrade.toml").write_text(of("toml")[0].text)
    settings = config.load({}, {}, tmp_path).settings
    assert settings.tls_cert
    assert settings.read_host == settings.host == "0.0.0.0"


def test_each_command_is_named() -> None:
    """Every command of the program stands in the table of commands, and the table has no other."""
    help_text = subprocess.run([*TRACEGRADE, "--help"], capture_output=True, text=True, check=True).stdout
    known = set(re.findall(r"^│ ([a-z]+) {2,}\S", help_text, re.MULTILINE))
    assert len(known) >= 10
    assert set(re.findall(r"^\| `tracegrade (\w+)` \|", TEXT, re.MULTILINE)) == known


def test_make_targets_exist() -> None:
    """The two commands are targets of the Makefile; CI runs them."""
    for target in ("demo", "test"):
        assert f"`make {target}`" in TEXT
        subprocess.run(["make", "--dry-run", target], cwd=README.parent, check=True, capture_output=True)
    assert {"make demo", "make test"} <= set((README.parent / ".ci" / "run").read_text().splitlines())


def test_each_check_is_named() -> None:
    """Every check of the native suite stands in the table of checks, and the table has no other."""
    schema = json.loads(subprocess.run([*TRACEGRADE, "lint", "--schema"], capture_output=True, check=True).stdout)
    folder = README.parent / "grader" / "checks"
    known = {key for path in folder.glob("[a-z]*.py") for key in re.findall(r'KEY: .*= "(\w+)"', path.read_text())}
    table = TEXT[TEXT.index("| check | holds when |") :].split("\n\n")[0]
    first = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
    assert {key for cell in first for key in re.findall(r"`(\w+)`", cell)} == known
    assert all(f'"{key}"' in json.dumps(schema) for key in known)


def test_each_operator_is_named() -> None:
    """Every operator stands in its table with an example that is read, and the table has no other."""
    table = TEXT[TEXT.index("| operator | the value is |") :].split("\n\n")[0]
    examples = re.findall(r"^\| `(.*?)` \|", table, re.MULTILINE)
    read = [YAML(typ="safe").load(f"{{ {example} }}") for example in examples]
    assert [list(raw) for raw in read] == [[name] for name in sorted(OPERATORS)]
    assert all(read_pattern(raw).tell() for raw in read)


def test_each_fact_is_named() -> None:
    """Every fact that a condition may speak of stands in its table, in the words of the editor's schema."""
    table = TEXT[TEXT.index("| fact | what it is |") :].split("\n\n")[0]
    assert dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", table, re.MULTILINE)) == {n: f.tells for n, f in FACTS.items()}


def test_the_manifest_is_one(tmp_path: Path) -> None:
    """The example of an agent manifest is read."""
    path = tmp_path / "m.yaml"
    path.write_text(next(block.text for block in of("yaml") if block.text.startswith("agents:")))
    assert set(read_manifest(path).agents) == {"support", "summarizer"}


def test_each_capture_kind_is_named() -> None:
    """Every kind of evidence is listed among the codes."""
    source = ast.parse((README.parent / "collector" / "tree.py").read_text())
    kinds = next(
        ast.literal_eval(node.value)
        for node in source.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "CAPTURE_KINDS"
    )
    assert all(f"`{kind}`" in TEXT[TEXT.index("**Capture.**") :] for kind in kinds)


def test_tables_have_the_columns_of_the_store(demo: Path) -> None:
    """The listed columns are those that the store's views have, in their order."""
    with connect(demo / "tracegrade.duckdb", extensions=[extension()], create=False) as store:
        for name, listed in re.findall(r"^\*\*`(\w+)`\*\* — (.*)$", part(TEXT, "tables"), re.MULTILINE):
            if name not in generate.ELSEWHERE:
                real = store.sql(f"SELECT * FROM {name} LIMIT 0").column_names
                assert re.findall(r"`(\w+)`(?=[, (]|$)", listed) == real, name


def test_links_lead_somewhere() -> None:
    """Every file that the README links exists, and every heading that its contents name."""
    headings = {
        re.sub(r"[^a-z -]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^## (.*)$", TEXT, re.MULTILINE)
    }
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        assert target[1:] in headings if target.startswith("#") else (README.parent / target).exists(), target
