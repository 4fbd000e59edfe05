"""The collector's log, on standard error: what happened and where in the code, and nothing of what clients sent (X-09).

The text of an exception may quote the value that it is about. So of an exception, whoever logs it (we, asyncio), its
kind and its places in the code are written, and its text is not.
"""

import logging
import sys
import traceback
from types import TracebackType

from collector.printable import clean

_FORM = "%(asctime)s %(levelname)s %(message)s"


class Lines(logging.Formatter):
    """One line a message, control characters escaped; below it the places of an exception."""

    def __init__(self) -> None:
        super().__init__(_FORM)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 -- logging names it
        """The line."""
        record.message = clean(record.message)
        return super().formatMessage(record)

    def formatException(  # noqa: N802 -- logging names it
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        """Kind and places, innermost last."""
        kind, _, trace = ei
        places = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in traceback.extract_tb(trace)]
        return "\n".join([*places, f"  {kind.__name__ if kind else 'no exception'}"])


def start() -> None:
    """Log to standard error from now on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
