"""A small disk that can be filled: a tmpfs where it may be mounted, else a limit of the collector's file sizes."""

import errno
import os
import resource
import shutil
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self


class Disk:
    """`folder` lies on it. `fill` takes all room away from the collector, `give_back` gives it back."""

    def __init__(self, place: Path, size: int) -> None:
        self.folder = place / "disk"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(self.folder)]
        self._mounted = os.geteuid() == 0 and subprocess.run(command, capture_output=True, check=False).returncode == 0
        self._pid = 0

    @property
    def how(self) -> str:
        """What kind of disk it is."""
        return "tmpfs" if self._mounted else "limit of file sizes"

    def watch(self, pid: int) -> None:
        """The collector that writes on it."""
        self._pid = pid

    def fill(self, left: int) -> None:
        """Leave no more than so many bytes."""
        if self._mounted:
            with (self.folder / "filler").open("wb") as filler:
                while not self._filled(filler.fileno(), left):
                    pass  # the collector wrote in between, so that less was free than a moment before
        else:
            largest = max(file.stat().st_size for file in self.folder.iterdir())
            self._limit(largest + left)

    def give_back(self) -> None:
        """Make room again."""
        if self._mounted:
            (self.folder / "filler").unlink()
        else:
            self._limit(resource.RLIM_INFINITY)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._mounted:
            subprocess.run(["umount", "-l", str(self.folder)], check=True)

    def _filled(self, filler: int, left: int) -> bool:
        try:
            os.posix_fallocate(filler, 0, max(shutil.disk_usage(self.folder).free - left, 1))
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            return False
        return True

    def _limit(self, size: int) -> None:
        resource.prlimit(self._pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
