"""The process from which those that answer free SQL are forked: one for all stores of this process, from the first use on."""

import atexit
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from collector.answer import frames
from collector.store.errors import StoreError

_CODE = Path(__file__).parents[2]
PROGRAM = "import sys; sys.path.insert(0, sys.argv[2]); from collector.answer.cell import main; main(int(sys.argv[1]))"
_PATIENCE = 5.0


class Root:
    """Starts the process when it is needed, and again when it has ended. Safe to use from any thread.

    It is a new interpreter and no fork of this process, in whose memory secrets may stand; its environment and its folder are
    empty. Importing takes it 0.5 to 1 s (2 busy cores); a fork of it is ready after 4 ms.
    """

    def __init__(self, program: str = PROGRAM) -> None:
        self._program = program
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def fork(self) -> socket.socket:
        """A socket to a new process. Raises StoreError where there is none to be had."""
        with self._lock:
            for _ in range(2):
                if self._process is None or self._process.poll() is not None:
                    self._start()
                if self._control is not None and (peer := frames.order(self._control)) is not None:
                    return peer
                self._end()
        raise StoreError("No process that would answer the statement can be started.")

    def close(self) -> None:
        """End the process, and those that it started. The next use starts another."""
        with self._lock:
            self._end()

    def _start(self) -> None:
        self._end()
        ours, theirs = socket.socketpair()
        self._folder = Path(tempfile.mkdtemp(prefix="tracegrade-sql-"))
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 -- this interpreter, with code of ours
                [sys.executable, "-I", "-c", self._program, str(theirs.fileno()), str(_CODE)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                cwd=self._folder,  # the process removes it when it ends
                env={},
                start_new_session=True,
            )
        self._control = ours

    def _end(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_PATIENCE)  # it ends with its socket
            if self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
            self._process = None
            with contextlib.suppress(OSError):  # it was killed and could not do it
                self._folder.rmdir()


shared = Root()
atexit.register(shared.close)
