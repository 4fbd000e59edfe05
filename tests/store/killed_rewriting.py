"""A process that deletes a trace and dies at a chosen step: `python -m tests.store.killed_rewriting STORE TRACE STEP`.

Steps are numbered as they come: before and after the copy, each fsync and the rename; -1 is in the midst of the copy, 0 is
none: then the deletion ends, and the number of steps is printed.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from collector.answer.local import LocalStore
from collector.store.care import rewrite

step, last = 0, int(sys.argv[3])


def passed() -> None:
    """One step more; the chosen one is the end."""
    global step  # noqa: PLW0603
    step += 1
    if step == last:
        os.kill(os.getpid(), signal.SIGKILL)


def around(work: Callable[..., Any]) -> Callable[..., Any]:
    """The same work, with a step before and one after it."""

    def done(*arguments: Any, **named: Any) -> Any:
        passed()
        result = work(*arguments, **named)
        passed()
        return result

    return done


def during(work: Callable[..., Any]) -> Callable[..., Any]:
    """The same work; step -1 dies in the midst of it."""

    def done(*arguments: Any, **named: Any) -> Any:
        if last == -1:
            draft = arguments[1]

            def die() -> None:
                while not draft.exists():
                    pass
                os.kill(os.getpid(), signal.SIGKILL)

            threading.Thread(target=die, daemon=True).start()
        return work(*arguments, **named)

    return done


if __name__ == "__main__":
    rewrite._copy = around(during(rewrite._copy))  # ty: ignore[invalid-assignment]
    rewrite.durable = around(rewrite.durable)  # ty: ignore[invalid-assignment]
    Path.replace = around(Path.replace)  # ty: ignore[invalid-assignment]
    with LocalStore(sys.argv[1]) as store:
        store.maintain({"do": "delete", "trace": sys.argv[2]})
    print(step)
