"""What the README shows of the demo's store, made with the real commands: `python -m tests.docs.answers` writes it anew."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tests.conftest import TRACEGRADE, clean_environment
from tests.docs.readme import README, blocks, with_answer

SUITE = README.parent / "grader" / "demo" / "refunds.yaml"
SHOWN = "<!-- show: made by the demo's agent, kept true by tests/docs/test_readme.py -->"
WIDTH = "124"


def demo_store(folder: Path) -> Path:
    """A store that holds what the demo's agent did."""
    store = folder / "tracegrade.duckdb"
    with serving(folder) as ports:
        env = clean_environment() | {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{ports['gRPC']}"}
        subprocess.run(
            [sys.executable, "-m", "grader.demo.agent"], env=env, check=True, capture_output=True, timeout=60
        )
    return store


@contextmanager
def serving(folder: Path) -> Generator[dict[str, int]]:
    """`tracegrade serve` in this folder on free ports, by environment variables alone; it must end cleanly."""
    env = clean_environment() | {"TRACEGRADE_GRPC_PORT": "0", "TRACEGRADE_HTTP_PORT": "0"}
    with subprocess.Popen([*TRACEGRADE, "serve"], cwd=folder, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        ready = process.stdout.readline()
        yield {name: int(port) for name, port in re.findall(r"OTLP/(\w+) \S*?:(\d+)", ready)}
        process.terminate()
        assert process.wait(120) == 0


def answers(folder: Path) -> dict[str, str]:
    """Each query of the README, and the marks of its tree, with what the commands say about the store in this folder."""
    asked = [b.text for b in blocks(README.read_text()) if b.language == "sql"]
    found = {query: _run(folder, "sql", "--format", "table", query) for query in asked}
    run = _run(folder, "sql", "SELECT run_id FROM runs WHERE jobs > 1").split()[1]
    return found | {SHOWN: _steady(_run(folder, "show", run))}


def _steady(tree: str) -> str:
    """The tree with the ids and times of one certain run."""
    tree = re.sub(r"[0-9a-f]{32}-[0-9a-f]{16}", "18dc63a7643fc4eb9b6ba792a20b9b31-8a4e2258f2378f5d", tree)
    return re.sub(r"\d+ ms", "40 ms", tree)


def _run(folder: Path, *command: str) -> str:
    env = clean_environment() | {"COLUMNS": WIDTH}
    done = subprocess.run([*TRACEGRADE, *command], cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return "\n".join(line.rstrip() for line in done.stdout.splitlines() if line.strip()) + "\n"


def answered(text: str, folder: Path) -> str:
    """The README's text with these answers, and with the suite."""
    for before, answer in answers(folder).items():
        text = with_answer(text, before, answer)
    begin = text.index("```yaml\n", text.index("<!-- suite: ")) + len("```yaml\n")
    return text[:begin] + SUITE.read_text() + text[text.index("```", begin) :]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        demo_store(Path(place))
        README.write_text(answered(README.read_text(), Path(place)))
