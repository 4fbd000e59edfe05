"""`python -m tests.mutations [RULE...]`: every break must make a test of its rule fail; those that none notices are listed.

Works in a copy of the project, so that a broken line never stands in the real one. Takes about five seconds a break.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.mutations.breaks import ROOT, Break, breaks

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "__pycache__", ".hypothesis", ".ruff_cache", "node_modules", "captures"
)


def survives(found: Break, copy: Path) -> str | None:
    """Why no test noticed the break, None where one did."""
    target = copy / found.file
    whole = target.read_text(encoding="utf-8")
    try:
        target.write_text(found.applied(whole), encoding="utf-8")
    except ValueError as error:
        return str(error)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-k",
        found.tests,
    ]
    where = ["tests/grader/rules"]
    try:
        done = subprocess.run(
            [*command, *where],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
    except subprocess.TimeoutExpired:
        return None  # it hangs: somebody would notice
    finally:
        target.write_text(whole, encoding="utf-8")
    reasons = {0: "its tests pass all the same", 5: f"no test is named after {found.tests}"}
    return reasons.get(done.returncode)


def main(rules: list[str]) -> int:
    """Exit code 0 where every break was noticed."""
    wanted = [found for found in breaks() if not rules or found.rule in rules]
    workers = os.cpu_count() or 1
    missed = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as pool:
        copies = [Path(folder) / str(number) for number in range(workers)]
        for copy in copies:
            shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
            (copy / "tests/data/captures").symlink_to(ROOT / "tests/data/captures")
        shares = [wanted[number::workers] for number in range(workers)]
        for share in pool.map(
            lambda pair: [(b, survives(b, pair[1])) for b in pair[0]], zip(shares, copies, strict=True)
        ):
            missed += [(found, why) for found, why in share if why is not None]
    for found, why in missed:
        print(f"{found.rule}: {why}: {found.file}: {found.was!r} -> {found.now!r}")
    print(f"{len(wanted) - len(missed)} of {len(wanted)} breaks were noticed")
    return 1 if missed or not wanted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
