"""The Dockerfile's build steps, done without Docker in a fresh environment: `python -m tests.docker.steps` (`make image`).

What a container engine would have to do is left out, and said: users, folders at the root, the base image.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.conftest import clean_environment
from tests.docker.files import ROOT, command, environment, health, of


def build(folder: Path) -> Path:
    """Copy what the first stage copies and run what it runs, below `folder`; the folder of the commands that this made."""
    source, target = folder / "src", folder / "opt" / "tracegrade"
    source.mkdir()
    for text in of("COPY", 0):
        *names, to = text.split()
        for name in names:
            place = source / to if (ROOT / name).is_dir() else source / to / name
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, place)
    for text in of("RUN", 0):
        line = text.replace("/opt/tracegrade", str(target)).replace("python -m venv", f"{sys.executable} -m venv")
        print(f"RUN {text}", flush=True)
        subprocess.run(["bash", "-ec", line], cwd=source, env=clean_environment() | {"EXTRAS": ""}, check=True)
    return target / "bin"


def try_it(commands: Path, folder: Path) -> None:
    """Start what a container starts, ask for its health, end it; all with the image's variables."""
    tokens = folder / "token"
    tokens.write_text("0123456789abcdef" * 2 + "\n")
    data = folder / "data"
    data.mkdir(mode=0o700)
    env = clean_environment() | environment(data) | {"PATH": f"{commands}:{os.environ['PATH']}"}
    env |= {"TRACEGRADE_INGEST_TOKEN_FILE": str(tokens), "TRACEGRADE_GRPC_PORT": "0", "TRACEGRADE_HTTP_PORT": "0"}
    with subprocess.Popen(command(), cwd=data, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        print(process.stdout.readline().strip(), flush=True)
        well = subprocess.run(health(), cwd=data, env=env, check=False).returncode
        process.terminate()
        ended = process.wait(120)
    gone = subprocess.run(health(), cwd=data, env=env, check=False).returncode
    assert (well, ended, gone) == (0, 0, 1), (well, ended, gone)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        try_it(build(Path(place)), Path(place))
    print("Built, started, healthy, ended. Not done here: the base image, RUN of the second stage, USER, VOLUME.")
