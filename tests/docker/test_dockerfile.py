"""The Dockerfile, as far as it can be tried without Docker."""

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import clean_environment
from tests.docker.files import DOCKER, ROOT, command, environment, of
from tests.docker.steps import try_it

HERE = Path(sys.executable).parent


def test_what_is_copied_exists_and_is_let_in():
    """Each file that goes into the build is there and is named by the ignore file, which lets nothing else in."""
    copied = {name for text in of("COPY", 0) for name in text.split()[:-1]}
    assert all((ROOT / name).exists() for name in copied)
    rules = [r for r in (DOCKER / "Dockerfile.dockerignore").read_text().splitlines() if r and not r.startswith("#")]
    assert rules[0] == "*"
    assert {rule[1:] for rule in rules if rule.startswith("!")} == copied


def test_the_lock_is_kept_to():
    """The one installation is bound to the versions of the lock."""
    installs = [text for text in of("RUN") if "pip install" in text]
    assert len(installs) == 1
    assert "--constraint requirements.lock" in installs[0]


def test_it_does_not_run_as_root():
    """The last stage sets a user by number, who owns the one folder that is written to."""
    assert of("USER", 1) == ["10001:10001"]
    assert of("VOLUME", 1) == ["/data"]
    assert any("--owner 10001" in text and text.endswith("/data") for text in of("RUN", 1))


def test_it_starts_and_tells_its_health(tmp_path: Path):
    """The image's command starts with the image's variables and a token, its health check says 0 then, and 1 afterwards."""
    try_it(HERE, tmp_path)


def test_it_does_not_start_open(tmp_path: Path):
    """In a container it listens for others, so that without a token it refuses to start and says how to give one."""
    env = clean_environment() | environment(tmp_path) | {"PATH": f"{HERE}:{os.environ['PATH']}"}
    env |= {"TRACEGRADE_GRPC_PORT": "0", "TRACEGRADE_HTTP_PORT": "0"}
    done = subprocess.run(command(), cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no ingest token is in force" in done.stderr
