"""`make demo` and `make test` on machines that lack something."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OLD = """#!/bin/sh
[ "$1" = -V ] && echo "Python 3.10.12" && exit 0
exit 1
"""
WITHOUT_ENSUREPIP = f"""#!/bin/sh
case "$2" in *ensurepip*) exit 1;; esac
exec {sys.executable} "$@"
"""


def make(target: str, python: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run make with another Python and an environment folder of its own."""
    fake = folder / "python3"
    fake.write_text(python)
    fake.chmod(0o755)
    command = ["make", target, f"PYTHON={fake}", f"VENV={folder / 'venv'}"]
    env = {k: v for k, v in os.environ.items() if k != "MAKEFLAGS"}
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("target", ["demo", "test"])
def test_an_old_python_is_said(target: str, tmp_path: Path) -> None:
    """With Python 3.10 make says what is needed and how to choose another, and makes nothing."""
    done = make(target, OLD, tmp_path)
    assert done.returncode != 0
    assert "needs Python 3.11 or newer" in done.stderr
    assert "Python 3.10.12" in done.stderr
    assert f"make {target} PYTHON=" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_the_missing_debian_package_is_named(tmp_path: Path) -> None:
    """Where ensurepip is missing make names the package of this very version, and leaves no half environment."""
    done = make("demo", WITHOUT_ENSUREPIP, tmp_path)
    assert done.returncode != 0
    assert f"apt install python{sys.version_info.major}.{sys.version_info.minor}-venv" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_nothing_is_installed_twice() -> None:
    """In an installed environment the second `make test` goes straight to the checks."""
    done = subprocess.run(["make", "--dry-run", "test"], cwd=ROOT, capture_output=True, text=True, check=True)
    if (ROOT / ".venv" / ".dev").exists():
        assert "pip install" not in done.stdout
