"""A progress bar on standard error where that is a terminal; elsewhere only the notes."""

import sys
from types import TracebackType
from typing import Self


class Progress:
    """Bytes done of `total`, with notes printed above the bar."""

    def __init__(self, total: int) -> None:
        self._bar = None
        if sys.stderr.isatty():
            from rich import progress

            from collector.cli.render.screen import screen

            columns = progress.BarColumn(), progress.DownloadColumn(), progress.TimeRemainingColumn()
            self._bar = progress.Progress(*columns, console=screen(stderr=True), transient=True)
            self._task = self._bar.add_task("loading", total=total)

    def advance(self, done: int) -> None:
        """So many bytes more are done."""
        if self._bar is not None:
            self._bar.advance(self._task, done)

    def note(self, text: str) -> None:
        """Say something that stays."""
        if self._bar is not None:
            self._bar.console.print(text, soft_wrap=True)
        else:
            print(text, file=sys.stderr)  # noqa: T201 (notes are for people)

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
