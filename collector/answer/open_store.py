"""From what `--store` names to a store: a path, the path of a store that a collector serves, or a collector's URL."""

from collections.abc import Sequence
from pathlib import Path

from collector.answer import notice
from collector.answer.local import LocalStore
from collector.answer.remote import RemoteStore
from collector.store.errors import NotAStore, StoreInUse
from collector.store.extension import Extension
from collector.store.file.database import MEMORY
from collector.store.protocol import Store
from collector.store.writing.intake import Redact


def connect(
    store: str | Path, *, extensions: Sequence[Extension] = (), create: bool = True, redact: Redact | None = None
) -> Store:
    """Open a store by path (`:memory:` too) or by URL.

    Where a running collector has the path open it is asked instead. `create=False` refuses a path that does not exist.
    `redact` is for those who load: what rows lose before they are stored (a running collector has its own rules).
    Raises NotAStore, StoreInUse, or Unavailable where nobody answers at a URL.
    """
    place = str(store)
    if place.startswith(("http://", "https://")):
        return RemoteStore(place)
    if place == MEMORY:
        return LocalStore(place, extensions=extensions, redact=redact)
    served = _served(place)
    if served is not None:
        return served
    if not create and not Path(place).exists():
        raise NotAStore(f"There is no store at {place}; name one with --store, or start `tracegrade serve` or `load`.")
    try:
        return LocalStore(place, extensions=extensions, redact=redact)
    except StoreInUse:
        served = _served(place)  # a collector that has just started
        if served is None:
            raise
        return served


def _served(place: str) -> RemoteStore | None:
    """The collector that serves this path; a note of one that does not answer is stale and ignored."""
    note = notice.find(place)
    if note is None:
        return None
    remote = RemoteStore(note.read, note.token, note.otlp)
    return remote if remote.answers() else None
