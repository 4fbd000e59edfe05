"""Whether a file is another one than before: cheap enough (2 µs) to be asked for every request and every handshake."""

from pathlib import Path

Stamp = tuple[int, int, int]


def stamp(path: str | Path) -> Stamp | None:
    """When it was changed, its size and its number; None where it cannot be seen. Links are followed (Kubernetes)."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
