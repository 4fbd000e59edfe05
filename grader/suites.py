"""Reads suite files: recognises each one's format by its content, and reports all mistakes of all files at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from collector import UserError
from grader.case import Suite
from grader.code.process import Permission
from grader.operators import nearest
from grader.pieces import scan
from grader.syntax.foreign import parse
from grader.syntax.mistakes import Mistake, SuiteError


@dataclass(frozen=True, slots=True)
class Format:
    """One format of case files: whether a text is such a file, and how it becomes a suite.

    `sign` tells an author by what a file of this format is known; `recognises` must hold for no file of another format.
    A file may hold several suites. One that `may_name_code` is read with a third argument: whether the code may run.
    """

    name: str
    recognises: Callable[[str], bool]
    read: Callable[..., Suite | Sequence[Suite]]
    sign: str = ""
    may_name_code: bool = False


def read_suites(
    paths: Sequence[Path], format_name: str | None = None, allowed: Permission | None = None
) -> list[Suite]:
    """All suites. `allowed` None: no code of their authors runs.

    Raises:
        SuiteError: a file has mistakes, or is in no known format; the message has those of all files.
    """
    suites: list[Suite] = []
    mistakes: list[Mistake] = []
    for path in paths:
        try:
            suites += _read(path, format_name, allowed)
        except SuiteError as error:
            mistakes += error.mistakes
    if mistakes:
        raise SuiteError(mistakes)
    return suites


def _read(path: Path, format_name: str | None, allowed: Permission | None) -> Sequence[Suite]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise SuiteError([Mistake(str(path), 1, "", "not a text file in UTF-8")]) from None
    except OSError as error:
        raise SuiteError([Mistake(str(path), 1, "", f"cannot be read: {error.strerror}")]) from None
    return read_text(path, text, format_name, allowed)


def read_text(
    path: Path, text: str, format_name: str | None = None, allowed: Permission | None = None
) -> Sequence[Suite]:
    """The suites of a file's text: one, but for formats whose files hold several.

    Raises:
        SuiteError: it has mistakes, or is in no known format.
    """
    form = _format(path, text, format_name)
    found = form.read(path, text, allowed) if form.may_name_code else form.read(path, text)
    return [found] if isinstance(found, Suite) else found


def _format(path: Path, text: str, name: str | None) -> Format:
    known: dict[str, Format] = scan("grader.formats", "FORMAT")
    if name is not None:
        if name not in known:
            raise UserError(f"no format is called {name!r}{nearest(name, list(known))}; known are {', '.join(known)}")
        return known[name]
    found = [f for f in known.values() if f.recognises(text)]
    if len(found) == 1:
        return found[0]
    if not found and (unread := parse(path, text).mistakes):
        raise SuiteError(unread)  # what cannot be read at all is in no format
    problem = "is in no known format" if not found else f"could be {' or '.join(f.name for f in found)}"
    signs = "; ".join(f"{f.name}: {f.sign}" if f.sign else f.name for f in known.values())
    raise SuiteError([Mistake(str(path), 1, "", f"{problem}; say --format, or begin as a format does ({signs})")])
