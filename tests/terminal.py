"""A real terminal for a command: a pseudo-terminal of a given width."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
from pathlib import Path


def on_terminal(command: list[str], folder: Path, env: dict[str, str], width: int = 80) -> tuple[int, str]:
    """Run to the end; the exit code, and everything that the terminal was sent."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    with subprocess.Popen(command, cwd=folder, env=env, stdout=theirs, stderr=theirs, stdin=theirs) as process:
        os.close(theirs)
        shown = b""
        while part := _read(ours):
            shown += part
    os.close(ours)
    return process.returncode, shown.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux says so when the other side is closed
        return b""
