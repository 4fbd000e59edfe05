"""Ports to listen on: whether one is free, and who holds one that is not."""

import errno
import os
import socket
from contextlib import suppress
from pathlib import Path

from collector.errors import PortInUseError, UserError

_LISTENING = "0A"


def require(host: str, port: int, option: str) -> None:
    """Raise UserError with what to do where one cannot listen there; `option` is the flag that sets the port."""
    if port == 0:
        return
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as problem:
        raise explain(problem, host, port, option) from None


def explain(problem: OSError, host: str, port: int, option: str) -> UserError:
    """Why one cannot listen there, for a person."""
    if problem.errno == errno.EADDRINUSE:
        by = holder(port)
        held = f" by {by}" if by else ""
        return PortInUseError(f"port {port} on {host} is in use{held}. Stop it, or choose another port with {option}.")
    if problem.errno == errno.EACCES:
        return UserError(f"port {port} needs more rights. Choose one above 1023 with {option}.")
    reason = (problem.strerror or "it cannot be listened on").lower()
    return UserError(f"cannot listen on {host}, port {port}: {reason}. Choose others with --host and {option}.")


def holder(port: int) -> str | None:
    """The process that listens on the port, as `process 4711 (python3)`; None where the system does not tell."""
    sockets = {f"socket:[{inode}]" for inode in _listening(port)}
    if not sockets or not Path("/proc/self/fd").exists():
        return None
    for process in Path("/proc").iterdir():
        if process.name.isdecimal() and _holds(process, sockets):
            with suppress(OSError):
                return f"process {process.name} ({(process / 'comm').read_text().strip()})"
    return None


def _listening(port: int) -> list[str]:
    inodes = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with suppress(OSError):
            for line in Path(table).read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == _LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                    inodes.append(fields[9])
    return inodes


def _holds(process: Path, sockets: set[str]) -> bool:
    with suppress(OSError):
        for handle in (process / "fd").iterdir():
            with suppress(OSError):
                if os.readlink(handle) in sockets:  # noqa: PTH115 -- these links lead nowhere
                    return True
    return False
