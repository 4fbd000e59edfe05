"""An author's modules: looked for beside the suite first, and never in the place of Python's own or ours (S2-54).

Only the process that runs them ever holds them (`program.py`); it is started for one suite file, and ends with it.
"""

import hashlib
import importlib
import importlib.abc
import importlib.machinery
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from grader.code.registry import REGISTRY, KeyMistakeError

_OURS = ("grader", "collector")


class CannotImportError(Exception):
    """A module cannot be imported; the message says why, in the terms of who wrote it."""


class Beside(importlib.abc.MetaPathFinder):
    """Finds modules beside a suite before those that are installed.

    What Python's own library or tracegrade holds keeps its name for everybody in the process.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tops: set[str] = set()
        """Names of modules and packages that came from there."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module's, where it is a file or a package there; a folder without `__init__.py` comes last, as elsewhere."""
        if path is not None or _taken(fullname):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, [str(self.folder)], target)
        if spec is None or spec.loader is None:
            return None
        self.tops.add(fullname)
        return spec

    def has(self, name: str) -> bool:
        """Whether a file or a folder there could be meant by that name."""
        return (self.folder / f"{name}.py").is_file() or (self.folder / name).is_dir()

    def within(self, path: Path) -> Path | None:
        """The path from the folder on, where the file is an author's: a folder may hold other things, such as `.venv`."""
        if not path.is_relative_to(self.folder):
            return None
        inner = path.relative_to(self.folder)
        return inner if inner.parts[0].removesuffix(".py") in self.tops else None


def _taken(name: str) -> bool:
    top = name.partition(".")[0]
    return top in sys.stdlib_module_names or top in _OURS


def look_beside(folder: Path) -> Beside:
    """Makes imports of this process look there."""
    finder = Beside(folder)
    sys.meta_path.insert(0, finder)
    sys.path.append(str(folder))
    return finder


def load(name: str, beside: Beside) -> ModuleType:
    """Imports the module; one that was imported before is imported again, and its checks are registered anew.

    Raises:
        CannotImportError: it is not there, its name is taken, or it raised something.
    """
    top = name.partition(".")[0]
    if _taken(name) and beside.has(top):
        raise CannotImportError(f"{name!r} is the name of a module of Python or tracegrade; call yours something else")
    if beside.has(top):
        beside.tops.add(top)
    known = sys.modules.get(name)
    try:
        if known is None:
            return importlib.import_module(name)
        REGISTRY.forget(name)
        return importlib.reload(known)
    except KeyMistakeError as error:
        raise CannotImportError(str(error)) from None
    except ModuleNotFoundError as error:
        raise CannotImportError(_missing(name, error)) from None
    except SyntaxError as error:
        where = Path(error.filename or name).name
        raise CannotImportError(f"{where} is no Python: {error.msg} (line {error.lineno})") from None
    except BaseException as error:  # noqa: BLE001  also SystemExit: whatever a module does, the others are told
        raise CannotImportError(f"raised {told(error, beside)} when it was imported") from None


def _missing(name: str, error: ModuleNotFoundError) -> str:
    if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
        return f"there is no module {error.name!r} beside the suite, and none is installed"
    return f"it needs the module {error.name!r}, which is not there"


def told(error: BaseException, beside: Beside) -> str:
    """The exception's type, and the innermost line of an author's file that it passed. Never its message: it may hold data."""
    kind = type(error).__name__
    frames = [(Path(frame.filename), frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    own = [(inner.as_posix(), line) for path, line in frames if (inner := beside.within(path)) is not None]
    if own:
        return f"{kind} (line {own[-1][1]} of {own[-1][0]})"
    return f"{kind} (line {frames[-1][1]} of {frames[-1][0].name})" if frames else kind


def source_hash(named: Sequence[str], beside: Beside) -> str:
    """Hash (32 hex digits) of the sources of these modules, and of all that were imported from beside the suite with them."""
    files: dict[str, Path] = {}
    for name, module in list(sys.modules.items()):
        found = getattr(module, "__file__", None)
        if isinstance(found, str) and (name in named or beside.within(Path(found)) is not None):
            files[name] = Path(found)
    whole = hashlib.blake2b(digest_size=16)
    for name, path in sorted(files.items()):
        content = path.read_bytes() if path.is_file() else b""
        whole.update(f"{name}\0{len(content)}\0".encode() + content)
    return whole.hexdigest()
