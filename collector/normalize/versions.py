"""Versions of what makes trees: after an upgrade only the trees that a changed part had a hand in are built again.

A dialect's version is a hash of its module and of all that dialects share; the assembler has a version of its own.
"""

import hashlib
import importlib.metadata
from collections.abc import Iterable, Mapping
from pathlib import Path

from collector.normalize.dialects import DIALECTS

ASSEMBLER = "assembler"
"""The part that makes trees of what the dialects say: it has a hand in all of them."""

Sources = Mapping[str, bytes]
"""Source texts by their path below `collector/`."""

_FOLDER = Path(__file__).parents[1]
_DIALECTS = "normalize/dialects/"
_MODEL = ("tree.py", "tree_text.py", "message.py")
_ASSEMBLES = (*_MODEL, "normalize/__init__.py", "normalize/rows.py", "normalize/assemble/")
_THIS = "normalize/versions.py"


def sources(folder: Path = _FOLDER) -> dict[str, bytes]:
    """The normalizer's own sources; none where the package came without them (compiled, or zipped)."""
    files = (path for path in (*map(folder.joinpath, _MODEL), *(folder / "normalize").rglob("*.py")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def release() -> str:
    """The version of the installed package: all that is known of a part without its sources."""
    try:
        return importlib.metadata.version("tracegrade")
    except importlib.metadata.PackageNotFoundError:  # copied, never installed
        return "unknown"


def versions(found: Sources, dialects: Iterable[str], otherwise: str) -> dict[str, str]:
    """The version of each dialect and of the assembler; `otherwise` where sources are missing."""
    shared = {path: text for path, text in found.items() if _shared(path)}
    assembles = {path: text for path, text in found.items() if path.startswith(_ASSEMBLES)}
    out = {ASSEMBLER: _hash(assembles) if assembles else otherwise}
    for name in dialects:
        path = f"{_DIALECTS}{name}.py"
        out[name] = _hash({**shared, path: found[path]}) if path in found else otherwise
    return out


def _shared(path: str) -> bool:
    is_dialect = path.startswith(_DIALECTS) and path != f"{_DIALECTS}__init__.py"
    return not is_dialect and path != _THIS and not path.startswith(_ASSEMBLES)


def _hash(texts: Sources) -> str:
    known = hashlib.blake2b(digest_size=16)
    for path in sorted(texts):
        known.update(f"{path}\0{len(texts[path])}\0".encode() + texts[path])
    return known.hexdigest()


NAMES = tuple(dialect.name for dialect in DIALECTS)
VERSIONS = versions(sources(), NAMES, release())
"""Those of the normalizer in this process."""
