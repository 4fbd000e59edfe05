"""Runs an author's functions in a process of their own, which a limit ends: nothing else can end a Python function.

It keeps grading going, and the names of an author's modules out of tracegrade's own. It is no sandbox: the process may do
whatever its user may, so that it is started only where the command line allows it (--allow-code).
"""

import json
import os
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.outcome import BrokeError

CALL_SECONDS = 10.0
IMPORT_SECONDS = 60.0
"""For a module: some take long to import."""
MOST_ENDED = 3
"""After so many calls in a row that had to be ended, a function is not called any more."""

_STARTED = "import sys; sys.path[:] = sys.argv[1:]; from grader.code.program import main; main()"


@dataclass(frozen=True, slots=True)
class Permission:
    """That an author's code may run, and for how many seconds a call may take."""

    seconds: float = CALL_SECONDS


class CodeProcess:
    """Keeps one process for the functions of one suite file, started at the first request; safe to use from several threads.

    `evalstone`: the modules may import `check` from a module of that name.
    """

    def __init__(self, folder: Path, permission: Permission, *, evalstone: bool = False) -> None:
        self.seconds = permission.seconds
        self._begin = {"folder": str(folder.resolve()), "evalstone": evalstone}
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._read: list[tuple[Mapping[str, Any], Any]] = []
        """What was asked while the suite was read, with the answers: a process started anew must give the same."""
        self._ended: dict[str, int] = {}

    def ask(self, **request: Any) -> dict[str, Any]:
        """What the process says of a module or a function (`import`, `find`, `hash` of program.py); `mistake` where it cannot.

        An answer is remembered, and holds from then on.
        """
        with self._lock:
            try:
                answer = self._ready().exchange(request, max(IMPORT_SECONDS, self.seconds))
            except _LostError as lost:
                return {"mistake": f"{lost} while it was imported"}
            except OSError as error:
                return {"mistake": f"cannot be imported: no process can be started ({error.strerror})"}
            self._read.append((request, answer))
            return answer

    @property
    def hash(self) -> str:
        """Of the sources of all modules that were asked for so far."""
        last, answer = self._read[-1] if self._read else ({}, {})
        known = answer if last.get("do") == "hash" else self.ask(do="hash")
        return str(known.get("hash", ""))

    def call(self, name: str, **request: Any) -> dict[str, Any]:
        """The score that a function gives, as the fields of `Score`. `name`: what sentences call it.

        Raises:
            BrokeError: it gave none; the message says why, without data.
        """
        with self._lock:
            if self._ended.get(name, 0) >= MOST_ENDED:
                raise BrokeError(f"{name} is not called any more: it had to be ended {MOST_ENDED} times in a row")
            try:
                answer = self._ready().exchange(request, self.seconds)
            except _LostError as lost:
                self._ended[name] = self._ended.get(name, 0) + 1
                raise BrokeError(f"{name} {lost}") from None
            self._ended.pop(name, None)
        if "broke" in answer:
            raise BrokeError(f"{name} {answer['broke']}")
        return answer

    def _ready(self) -> "_Child":
        """The process, with everything imported as it was when the suite was read."""
        if self._child is not None and self._child.alive:
            return self._child
        self._child = child = _Child()
        weakref.finalize(self, child.end)
        child.exchange(self._begin, IMPORT_SECONDS)
        for request, answer in self._read:
            if child.exchange(request, max(IMPORT_SECONDS, self.seconds)) != answer:
                child.end()
                raise _LostError("cannot be called: its module has changed since the suite was read; grade again")
        return child


class _LostError(Exception):
    """There is no answer, and the process is gone; the message continues a sentence about a function."""


class _Child:
    """The process itself. On POSIX it leads a session of its own: what its functions start ends with it."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(  # noqa: S603  our own interpreter
            [sys.executable, "-c", _STARTED, *sys.path],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self.alive = True
        self._owner = os.getpid()

    def exchange(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """The answer.

        Raises:
            _LostError: there was none within the limit, or the process ended.
        """
        expired = threading.Event()

        def late() -> None:
            expired.set()
            self._kill()

        timer = threading.Timer(seconds, late)
        timer.daemon = True
        line = b""
        timer.start()
        try:
            line = self._line(json.dumps({**request, "seconds": seconds}, default=str).encode() + b"\n")
        finally:  # whatever interrupts the exchange leaves the two out of step
            timer.cancel()
            timer.join()
            if expired.is_set() or not line.endswith(b"\n"):
                self.end()
        if expired.is_set():
            raise _LostError(f"was ended: it took longer than {seconds:g} s")
        if not line.endswith(b"\n"):
            raise _LostError(f"ended its process ({_ending(self.process.returncode)})")
        return json.loads(line)

    def _line(self, asked: bytes) -> bytes:
        process = self.process
        if process.stdin is None or process.stdout is None:
            return b""
        try:
            process.stdin.write(asked)
            process.stdin.flush()
            return process.stdout.readline()
        except OSError:  # it died while it was asked
            return b""

    def end(self) -> None:
        """Ends the process, whatever it is doing."""
        self.alive = False
        if self._owner != os.getpid():  # forked: the process belongs to the one that started it
            return
        self._kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                try:
                    pipe.close()
                except OSError:  # what could not be written any more
                    continue

    def _kill(self) -> None:
        if self.process.returncode is not None:
            return
        try:
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        except (ProcessLookupError, PermissionError):
            return


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
