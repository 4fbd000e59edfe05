"""`tracegrade normalize`, over a store that an older version built."""

import functools
import json
import re
import subprocess
import time
from pathlib import Path

import duckdb
import pytest

from collector import connect, normalize
from collector.answer.local import LocalStore
from collector.cli.loading import Loading
from collector.cli.rebuilding import outdated
from collector.normalize.versions import NAMES, sources, versions
from collector.store.trees.builder import Here
from tests.answer.serving import endpoint
from tests.conftest import TRACEGRADE, Command, clean_environment

PATH = "normalize/dialects/pydantic_ai.py"


@pytest.fixture
def old(data: Path, tmp_path: Path) -> Path:
    """A store of three captures, two of a dialect that has changed since; one of these trees has another reply."""
    found = sources()
    made_by = versions(found | {PATH: found[PATH] + b"\n# no-op\n"}, NAMES, "none")
    path = tmp_path / "tracegrade.duckdb"
    with LocalStore(path, builder=Here(functools.partial(normalize.build, versions=made_by))) as store:
        names = ("pydantic-ai-v5__native__refund", "pydantic-ai-v5__native__tool-error", "strands__native__refund")
        Loading(store).put([data / "captures" / name for name in names])
        store.settle()
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "UPDATE canonical.runs SET tree_digest = 'old', tree = replace(tree, 'Your refund', 'My refund') "
            "WHERE run_id = (SELECT min(run_id) FROM canonical.runs "
            "WHERE list_contains(dialects, 'pydantic_ai') AND contains(tree, 'Your refund'))"
        )
    return path


def test_what_would_change_is_shown_and_not_done(old: Path, tracegrade: Command) -> None:
    """--diff names each run with its facts before and after, and sums up; the store's trees stay."""
    for _ in range(2):
        done = tracegrade("normalize", "--diff")
        assert (done.returncode, done.stderr) == (0, "")
        lines = done.stdout.splitlines()
        assert re.fullmatch(r"changed: run [0-9a-f]{32}-[0-9a-f]{16}", lines[0])
        assert any(re.match(r"  root\.\S+: .*My refund.* → .*Your refund", line) for line in lines)
        assert lines[-1] == (
            "Nothing was written. Of the runs of 2 traces 1 would change, 0 would be new, 0 would go, 1 would stay as before."
        )
    machine = json.loads(tracegrade("normalize", "--diff", "--all", "--json").stdout)
    assert (machine["traces"], machine["same"], machine["new"], machine["gone"], machine["failed"]) == (
        3,
        2,
        [],
        [],
        [],
    )
    (changed,) = machine["changed"]
    assert all({"path", "before", "after"} == set(fact) for fact in changed["facts"])


def test_outdated_trees_are_built_again(old: Path, tracegrade: Command) -> None:
    """Without --diff the same is done, once; afterwards nothing is outdated, and --all still takes everything."""
    first = tracegrade("normalize")
    assert "changed: run" in first.stdout
    assert "Rebuilt 2 traces: of their runs 1 changed, 0 came new, 0 went, 1 stayed as before." in first.stdout
    assert tracegrade("normalize").stdout.startswith("Nothing to rebuild")
    again = tracegrade("normalize", "--all")
    assert again.stdout == "Rebuilt 3 traces: of their runs 0 changed, 0 came new, 0 went, 3 stayed as before.\n"
    assert "My refund" not in tracegrade("runs", "--json").stdout


def test_a_collector_rebuilds_by_itself_and_on_demand(old: Path, tracegrade: Command) -> None:
    """A collector that starts on an old store rebuilds it behind what arrives; meanwhile the command asks that collector."""
    command = [*TRACEGRADE, "serve", "--store", str(old), "--grpc-port", "0", "--http-port", "0"]
    with subprocess.Popen(command, env=clean_environment(), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "ready" in process.stdout.readline()
        deadline = time.monotonic() + 60
        with connect(old) as store:
            assert hasattr(store, "url")
            while outdated(store) and time.monotonic() < deadline:
                time.sleep(0.1)
            assert outdated(store) == []
        done = tracegrade("normalize", "--all")
        assert done.stdout == "Rebuilt 3 traces: of their runs 0 changed, 0 came new, 0 went, 3 stayed as before.\n"
        process.terminate()
        assert process.wait(120) == 0


def test_a_collector_of_another_version_is_told_apart(old: Path, tracegrade: Command) -> None:
    """Where the collector's own normalizer is another one, the command says that it must be restarted."""
    found = sources()
    made_by = versions(found | {PATH: found[PATH] + b"\n# no-op\n"}, NAMES, "none")
    with (
        LocalStore(old, builder=Here(functools.partial(normalize.build, versions=made_by))) as store,
        endpoint(store, "secret") as url,
    ):
        done = tracegrade("normalize", "--store", url, TRACEGRADE_READ_TOKEN="secret")
    assert done.returncode == 2
    assert "2 traces still have trees of another version" in done.stderr
    assert "Restart it with this version" in done.stderr
