"""Node for the TypeScript example: its packages are installed once, beside it."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples" / "typescript"
INSTALLED = FOLDER / "node_modules" / ".installed"


def packages() -> Path:
    """The example's folder with its packages in it. Skips the test where there is no npm."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed, so the TypeScript example cannot be compiled")
    wanted = (FOLDER / "package.json").read_text()
    handle = os.open(FOLDER, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # tests run in several processes
        if not INSTALLED.is_file() or INSTALLED.read_text() != wanted:
            command = [npm, "install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
            subprocess.run(command, cwd=FOLDER, check=True, timeout=280)
            INSTALLED.write_text(wanted)
    finally:
        os.close(handle)
    return FOLDER


def compile_and_run(sources: dict[str, str], folder: Path, main: str, **environment: str) -> None:
    """Compile TypeScript files in a folder of their own with the example's packages, and run one of them."""
    home = packages()
    (folder / "node_modules").symlink_to(home / "node_modules")
    for name in ("package.json", "tsconfig.json"):
        shutil.copy(home / name, folder)
    for name, text in sources.items():
        (folder / name).write_text(text)
    for command in ([home / "node_modules" / ".bin" / "tsc"], ["node", f"build/{main}"]):
        done = subprocess.run(
            [str(part) for part in command],
            cwd=folder,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
