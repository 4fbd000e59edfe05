"""`python -m tests.mutations [RULE...]`: every break must make a test of its rule fail; those that none notices are listed.

A rule may be named by its beginning (`S1-` for a whole vocabulary). Works in copies of the project, so that a broken
line never stands in the real one. Takes a few seconds a break.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.mutations.breaks import ROOT, RULE_TESTS, Break, breaks

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "__pycache__", ".hypothesis", ".ruff_cache", "node_modules", "captures"
)
WORKERS = min(2, os.cpu_count() or 1)
PYTEST = (sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-k")
FAILED = 1
SAID = {
    0: "its tests pass all the same",
    2: "the tests could not even be collected, so that none of them noticed",
    5: "no test is named after it",
}
"""By pytest's exit code, why a break was not noticed by a test."""


def run(tests: Iterable[str], copy: Path, *, compiling: bool = False) -> int:
    """Pytest's exit code over the tests whose names have one of these, in the files that mention them.

    `compiling` keeps what Python compiles, which spares later runs most of their time; never of a file with a break.
    """
    names = sorted(set(tests))
    files = [p for p in sorted((copy / RULE_TESTS).glob("test_*.py")) if any(n in p.read_text("utf-8") for n in names)]
    done = subprocess.run(
        [*PYTEST, " or ".join(names), *map(str, files or [copy / RULE_TESTS])],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "" if compiling else "1"},
        capture_output=True,
        check=False,
        timeout=300,
    )
    return done.returncode


def survives(found: Break, copy: Path) -> str | None:
    """Why no test noticed the break, None where one did."""
    target = copy / found.file
    whole, at = target.read_text(encoding="utf-8"), target.stat().st_mtime
    try:
        target.write_text(found.applied(whole), encoding="utf-8")
        os.utime(target, (at + 60, at + 60))  # so that what was compiled is not taken for it
        code = run([found.tests], copy)
    except ValueError as error:
        return str(error)
    except subprocess.TimeoutExpired:
        return None  # it hangs: somebody would notice
    finally:
        target.write_text(whole, encoding="utf-8")
        os.utime(target, (at, at))
    return None if code == FAILED else SAID.get(code, f"pytest ended with {code}")


def main(rules: list[str]) -> int:
    """Exit code 0 where every break was noticed, and every test of these rules passes without any."""
    wanted = [b for b in breaks() if not rules or any(b.rule == r or (r[-1:] == "-" and r in b.rule) for r in rules)]
    missed = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(WORKERS) as pool:
        sound = Path(folder) / "sound"
        shutil.copytree(ROOT, sound, ignore=LEFT_OUT)
        (sound / "tests/data/captures").symlink_to(ROOT / "tests/data/captures")
        if not wanted or run([b.tests for b in wanted], sound, compiling=True) != 0:
            print("no break of these rules is known, or their tests fail without any")
            return 1
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(WORKERS):
            copies.put(Path(shutil.copytree(sound, Path(folder) / str(number), symlinks=True)))

        def attempt(found: Break) -> tuple[Break, str | None]:
            copy = copies.get()
            try:
                return found, survives(found, copy)
            finally:
                copies.put(copy)

        for found, why in pool.map(attempt, wanted):
            if why is not None:
                missed.append(found)
                print(f"{found.rule}: {why}: {found.file}: {found.was!r} -> {found.now!r}", flush=True)
    print(f"{len(wanted) - len(missed)} of {len(wanted)} breaks were noticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
