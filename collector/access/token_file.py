"""Tokens from a file, one a line: how an orchestrator's secret store hands them over. Empty lines and # lines are left out."""

import logging
from pathlib import Path

from collector.access.tokens import Scope, digest
from collector.errors import UserError
from collector.file_stamp import stamp
from collector.private_files import distrust

_log = logging.getLogger(__name__)

SHORTEST = 24
"""Characters; 16 random bytes as base64. Nobody chooses a password of that length."""


class TokenFile:
    """The tokens of one scope in one file, read again whenever it changes.

    Raises UserError for a file that is of no use, or that others could change (X-33). A change that cannot be used is logged,
    and what was known stays in force, and so while the file is gone: secrets are replaced by renaming, and an exporter drops
    what is answered with 401. To revoke a token take its line out.
    """

    def __init__(self, path: str, scope: Scope) -> None:
        self.scope: Scope = scope
        self._path = path
        self._stamp = stamp(path)
        self._digests = _read(path, scope)

    def digests(self) -> tuple[bytes, ...]:
        """SHA-256 of each token in force."""
        found = stamp(self._path)
        if found is not None and found != self._stamp:
            self._stamp = found
            try:
                self._digests = _read(self._path, self.scope)
            except UserError as problem:
                _log.error("%s What was read before stays in force.", problem)
        return self._digests


def _read(path: str, scope: Scope) -> tuple[bytes, ...]:
    where = f"The file of {scope} tokens, {path}"
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "it is no text"
        raise UserError(f"{where}, cannot be read: {reason.lower()}.") from None
    if wrong := distrust(Path(path)):
        raise UserError(f"{where}, {wrong}")
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    for number, line in lines:
        if len(line) < SHORTEST or not line.isascii() or not line.isprintable() or " " in line:
            raise UserError(
                f"{where}, line {number}: a token has at least {SHORTEST} characters, none of them a space; "
                "`openssl rand -hex 32` makes one."
            )
    return tuple(digest(line) for _, line in lines)
