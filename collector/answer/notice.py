"""The note that a running collector leaves beside its store: `<store>.serve.json`, with its pid and its addresses.

So a path is enough to find it: nobody has to be told an address. The note holds the token of the read endpoint and is
therefore for its owner alone (0600).
"""

import os
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

SUFFIX = ".serve.json"


@dataclass(frozen=True)
class Notice:
    """Who serves a store: process id, URL of the read endpoint, the owner's token, and where that may send OTLP/HTTP."""

    pid: int
    read: str
    token: str
    otlp: str = ""

    @property
    def alive(self) -> bool:
        """Whether the process still exists (another process may have its number: ask it too)."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True  # somebody else's, but there
        return True


def place(store: str | Path) -> Path:
    """Where the note of a store lies."""
    path = Path(store)
    return path.with_name(path.name + SUFFIX)


def leave(store: str | Path, notice: Notice) -> None:
    """Write the note, whole or not at all."""
    target = place(store)
    draft = target.with_name(f"{target.name}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(orjson.dumps(asdict(notice)))
    draft.replace(target)


def find(store: str | Path) -> Notice | None:
    """The note of a store whose process exists; None for a stale, a damaged or no note."""
    try:
        raw = orjson.loads(place(store).read_bytes())
        notice = Notice(int(raw["pid"]), str(raw["read"]), str(raw.get("token", "")), str(raw.get("otlp", "")))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return notice if notice.alive else None


def take_away(store: str | Path) -> None:
    """Remove the note, if it is ours."""
    notice = find(store)
    if notice is not None and notice.pid == os.getpid():
        place(store).unlink(missing_ok=True)
