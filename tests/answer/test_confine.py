"""What a confined process cannot do any more: each attempt in a real process."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

LINUX = pytest.mark.skipif(
    platform.system() != "Linux" or platform.machine() not in ("x86_64", "aarch64"), reason="needs the filter of Linux"
)

ATTEMPTS = {
    "open a file": "open('/etc/passwd')",
    "look at its environment": "open('/proc/self/environ')",
    "make a file": "open('made', 'w')",
    "list a folder": "os.listdir('/')",
    "connect": "socket.socket()",
    "fork": "os.fork()",
    "run a program": "os.execv('/bin/true', ['true'])",
    "start a thread": "threading.Thread(target=print).start()",
    "end its parent": "os.kill(os.getppid(), 15)",
    "raise its limits": "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "watch another process": "ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) != -1 or exec('raise OSError')",
}


def confined(code: str, tmp_path: Path, memory: int = 1 << 28) -> subprocess.CompletedProcess[str]:
    """Run code in a process that was confined before."""
    start = "import ctypes, os, resource, socket, threading\nfrom collector.answer.confine import confine\n"
    command = [sys.executable, "-c", f"{start}confine({memory}, 5.0)\n{code}"]
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60, check=False)


@LINUX
@pytest.mark.parametrize("code", ATTEMPTS.values(), ids=ATTEMPTS)
def test_it_reaches_nothing(code: str, tmp_path: Path):
    """The attempt fails with an error, and the process goes on (X-20)."""
    tried = f"try:\n    {code}\nexcept (OSError, RuntimeError, ValueError):\n    os.write(1, b'no')"
    done = confined(tried, tmp_path)
    assert (done.stdout, done.returncode) == ("no", 0), done.stderr
    assert list(tmp_path.iterdir()) == []


@LINUX
def test_memory_ends(tmp_path: Path):
    """More memory than was allowed is not to be had; less is."""
    code = "bytearray(1 << 26)\ntry:\n    bytearray(1 << 29)\nexcept MemoryError:\n    os.write(1, b'no')"
    assert confined(code, tmp_path).stdout == "no"


def test_open_files_do_not_grow(tmp_path: Path):
    """What was open for writing before cannot be written on."""
    code = "try:\n    os.write(f.fileno(), b'x' * 100)\nexcept OSError:\n    os.write(1, b'no')"
    start = "import os, signal\nfrom collector.answer.confine import confine\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    command = [sys.executable, "-c", f"{start}f = open('f', 'wb')\nconfine(1 << 28, 5.0)\n{code}"]
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "no"
    assert (tmp_path / "f").read_bytes() == b""
