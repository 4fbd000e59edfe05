"""A search with Python's own `re` that can be ended: it runs in a process of its own, which a limit kills.

`re` backtracks, and may take longer than the age of the universe for `(a+)+$`. No thread can be ended, so the search runs
in another process. This file is both sides: imported it asks, run as a program it answers; it needs the standard library
alone, so that the program starts quickly.
"""

import atexit
import os
import re
import signal
import struct
import subprocess
import sys
import threading
from typing import IO

COMPUTING_SECONDS = 1.0
"""Of the processor, for one search; where processor time cannot be limited (Windows), of the clock."""
CLOCK_SECONDS = 30.0
"""For one search on a machine that is busy with other things."""
_MEMORY = 1 << 30

_QUESTION = struct.Struct(">IIQ")  # flags, bytes of the pattern, bytes of the text
_ANSWER = struct.Struct(">qq")  # where the match begins and ends; -1 for none
_NONE = (-1, -1)
_READY = b"\n"
_CAN_LIMIT = hasattr(signal, "setitimer")


class TooSlow(Exception):  # noqa: N818 -- an outcome, named as one
    """A search was ended at its limit of time or memory, without an answer."""

    def __init__(self, pattern: str) -> None:
        shown = pattern if len(pattern) <= 80 else pattern[:79] + "…"  # noqa: PLR2004
        super().__init__(
            f"the search for /{shown}/ was ended after {COMPUTING_SECONDS:g} s or 1 GB; look for nested repetitions"
        )


class GuardedSearch:
    """Keeps one process for all searches of this program, started at the first; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def search(self, pattern: str, flags: int, text: str) -> tuple[int, int] | None:
        """Where the first match begins and ends, in characters.

        Raises:
            TooSlow: there was no answer within the limits.
        """
        asked = pattern.encode("utf-8", "surrogatepass"), text.encode("utf-8", "surrogatepass")
        question = _QUESTION.pack(flags, *map(len, asked)) + b"".join(asked)
        with self._lock:
            answer = self._ask(question)
        if len(answer) < _ANSWER.size:
            raise TooSlow(pattern)
        start, end = _ANSWER.unpack(answer)
        return None if (start, end) == _NONE else (start, end)

    def _ask(self, question: bytes) -> bytes:
        """The answer; empty where the process ended or was ended."""
        process = self._ready()
        expired = threading.Event()

        def end() -> None:
            expired.set()
            process.kill()

        kill = threading.Timer(CLOCK_SECONDS if _CAN_LIMIT else COMPUTING_SECONDS, end)
        kill.daemon = True
        answer = b""
        kill.start()
        try:
            answer = _exchange(process, question)
        finally:  # whatever interrupts the exchange leaves the two out of step
            kill.cancel()
            kill.join()
            if len(answer) < _ANSWER.size or expired.is_set():
                self._end()
        return answer

    def _ready(self) -> subprocess.Popen[bytes]:
        if self._owner != os.getpid():  # forked: the process belongs to the one that started it
            self._process, self._owner = None, os.getpid()
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 -- this file, by this interpreter
                [sys.executable, "-I", "-S", __file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
            atexit.register(self._end)
            _read(self._process.stdout, len(_READY))
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe:
                    pipe.close()
        atexit.unregister(self._end)


def _exchange(process: subprocess.Popen[bytes], question: bytes) -> bytes:
    if process.stdin is None or process.stdout is None:
        return b""
    try:
        view = memoryview(question)
        while view:
            view = view[process.stdin.write(view) :]
        return _read(process.stdout, _ANSWER.size)
    except OSError:  # it died while it was asked
        return b""


def _read(pipe: IO[bytes] | None, size: int) -> bytes:
    """So many bytes, or fewer where the other side ended."""
    got = b""
    while pipe is not None and len(got) < size:
        more = pipe.read(size - len(got))
        if not more:
            break
        got += more
    return got


def _limit_memory() -> None:
    try:
        import resource  # noqa: PLC0415 -- not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    except (ImportError, ValueError, OSError):
        return


def _clock(seconds: float) -> None:
    """The kernel ends the process when it has computed for so long; nothing in `re` has to look at a clock."""
    if _CAN_LIMIT:
        signal.setitimer(signal.ITIMER_PROF, seconds)


def answer_questions(asked: IO[bytes], answers: IO[bytes]) -> None:
    """The program: answers one question after the other, until there are no more."""
    answers.write(_READY)
    answers.flush()
    while len(head := _read(asked, _QUESTION.size)) == _QUESTION.size:
        flags, pattern_size, text_size = _QUESTION.unpack(head)
        pattern = _read(asked, pattern_size).decode("utf-8", "surrogatepass")
        text = _read(asked, text_size).decode("utf-8", "surrogatepass")
        _clock(COMPUTING_SECONDS)
        found = re.compile(pattern, flags).search(text)
        _clock(0)
        answers.write(_ANSWER.pack(*(found.span() if found else _NONE)))
        answers.flush()


SEARCH = GuardedSearch()

if __name__ == "__main__":
    _limit_memory()
    answer_questions(sys.stdin.buffer, sys.stdout.buffer)
