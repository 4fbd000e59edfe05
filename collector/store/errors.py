"""What can go wrong in the store, as messages that a person can act on.

`Busy` and `Unavailable` are transient: the same request may succeed a moment later (G-03, H-08). The others are
about the store itself and end a command.
"""

# ruff: noqa: N818 -- the names say what is the matter, in words that others use too: busy, unavailable, in use

from collector.errors import UserError


class StoreError(UserError):
    """Base of all errors of the store; the text is ready to be shown."""


class Busy(StoreError):
    """The queue is full: try again after `retry_after` seconds."""

    def __init__(self, retry_after: float, message: str = "The store is busy; send again later.") -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Unavailable(StoreError):
    """The store cannot take anything now (draining, reopening, disk trouble): try again after `retry_after` seconds."""

    def __init__(self, message: str, retry_after: float = 2.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class NoSpace(Unavailable):
    """The disk is nearly full."""

    def __init__(self, wanting: int) -> None:
        super().__init__(f"The disk of the store is nearly full: {-(-wanting // 2**20):,} MiB more must be free.")


class FilesChanged(Unavailable):
    """The file or its log is not what was opened: somebody replaced, removed or cut it."""


class StoreInUse(StoreError):
    """Another process holds the file."""


class NotAStore(StoreError):
    """The file cannot be opened, or is no store of ours, or one of another schema version."""


class Damaged(NotAStore):
    """The file or its log is damaged, or less is in it than was acknowledged. `tracegrade check` tells more."""


class UnknownQuery(StoreError):
    """No fixed query has this name."""


class BadAppend(StoreError):
    """The tables of an append do not fit the store."""


class ReadOnly(StoreError):
    """Whoever asks may read this store and not change it."""


class RefusedStatement(StoreError):
    """Free SQL that is not allowed, or that does not run; the text says what is wrong with it."""
