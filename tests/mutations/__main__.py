"""`python -m tests.mutations [RULE...]`: every break must make a test of its rule fail; those that none notices are listed.

A rule may be named by its beginning (`S1-` for a whole vocabulary). The broken text lives in the memory of a process of
its own, in the place of the module's file, so that a wrong line never stands in the project. About a second a break.
"""

import importlib
import multiprocessing
import os
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType

import pytest

from tests.mutations.breaks import ROOT, RULE_TESTS, Break, breaks

WORKERS = min(2, os.cpu_count() or 1)
OWN = ("collector", "grader", "tests")
LIBRARIES = ("hypothesis", "jsonschema", "orjson", "pydantic", "re2", "ruamel.yaml")
"""Loaded once, before the processes part; what is our own is loaded by each."""

PYTEST = (
    "-qx",
    "--timeout=60",
    "-pno:cacheprovider",
    "-pno:xdist",
    "-Wignore::pytest.PytestAssertRewriteWarning",
    "-k",
)
SAID = {
    0: "its tests pass all the same",
    2: "the tests could not even be collected, so none of them noticed",
    5: "no test is named after it",
}
"""By pytest's exit code, why a break was not noticed by a test; 1 is a failed test."""


class Broken(SourceFileLoader):
    """Finds one module, and loads it from another text than its file's."""

    def __init__(self, file: Path, text: str) -> None:
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        super().__init__(name, str(file))
        self.text = text

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        """The module's, and no other's."""
        return spec_from_file_location(fullname, self.path, loader=self) if fullname == self.name else None

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002
        """Of the broken text, whatever was compiled before."""
        return compile(self.text, self.path, "exec", dont_inherit=True)


def run(names: Iterable[str]) -> int:
    """Pytest's exit code over the tests whose names have one of these, in the files that mention them."""
    wanted = sorted(set(names))
    files = sorted((ROOT / RULE_TESTS).glob("test_*.py"))
    files = [p for p in files if any(name in p.read_text("utf-8") for name in wanted)]
    return int(pytest.main([*PYTEST, " or ".join(wanted), *map(str, files or [ROOT / RULE_TESTS])]))


def attempt(found: Break | None, tests: Sequence[str]) -> str | None:
    """Why no test noticed the break, None where one did; without a break whether the tests fail. In a process of its own."""
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    os.chdir(ROOT)
    for name in [n for n in sys.modules if n.partition(".")[0] in OWN]:
        del sys.modules[name]
    if found is not None:
        file = ROOT / found.file
        try:
            sys.meta_path.insert(0, Broken(file, found.applied(file.read_text(encoding="utf-8"))))
        except ValueError as error:
            return str(error)
    code = run(tests)
    return None if code == 1 else SAID.get(code, f"pytest ended with {code}")


def main(rules: list[str]) -> int:
    """Exit code 0 where every break was noticed, and every test of these rules passes without any."""
    wanted = [b for b in breaks() if not rules or any(b.rule == r or (r[-1:] == "-" and r in b.rule) for r in rules)]
    if not wanted:
        print("no break of these rules is known")
        return 1
    for library in LIBRARIES:
        importlib.import_module(library)
    missed = 0
    with multiprocessing.get_context("fork").Pool(WORKERS, maxtasksperchild=1) as pool:
        sound = pool.apply(attempt, (None, [b.tests for b in wanted]))
        if sound != SAID[0]:
            print(f"without a break: {sound or 'a test fails'}")
            return 1
        answers = [pool.apply_async(attempt, (b, [b.tests])) for b in wanted]
        for found, answer in zip(wanted, answers, strict=True):
            why = answer.get()
            if why is not None:
                missed += 1
                print(f"{found.rule}: {why}: {found.file}: {found.was!r} -> {found.now!r}", flush=True)
    print(f"{len(wanted) - missed} of {len(wanted)} breaks were noticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
