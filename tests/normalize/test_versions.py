"""Versions: an edit of one dialect changes that dialect's, an edit of what they share changes all."""

import compileall
import subprocess
import sys
from pathlib import Path

import pytest

from collector.normalize.dialects import DIALECTS
from collector.normalize.versions import ASSEMBLER, NAMES, VERSIONS, sources, versions

SOURCES = sources()


def changed_by(path: str) -> set[str]:
    """The parts whose version an added comment in this file changes."""
    edited = SOURCES | {path: SOURCES[path] + b"\n# no-op\n"}
    after = versions(edited, NAMES, "none")
    return {part for part, version in versions(SOURCES, NAMES, "none").items() if after[part] != version}


@pytest.mark.parametrize("name", NAMES)
def test_an_edit_in_one_dialect_changes_that_one(name: str) -> None:
    """Every dialect stands in a file of its name, and a change there is a change of its version alone."""
    assert changed_by(f"normalize/dialects/{name}.py") == {name}


@pytest.mark.parametrize(
    "path", ["dialect.py", "messages.py", "values.py", "reading.py", "sight.py", "dialects/__init__.py"]
)
def test_an_edit_of_what_is_shared_changes_all_dialects(path: str) -> None:
    """Readers, the message parser, and how dialects are asked have a hand in whatever any dialect says."""
    assert changed_by(f"normalize/{path}") == set(NAMES)


@pytest.mark.parametrize(
    "path", ["tree.py", "normalize/rows.py", "normalize/__init__.py", "normalize/assemble/calls.py"]
)
def test_an_edit_of_the_assembler_changes_the_assembler(path: str) -> None:
    """What dialects say stays as it is, what is made of it does not."""
    assert changed_by(path) == {ASSEMBLER}


def test_every_file_counts_and_in_one_part_alone() -> None:
    """No source of the normalizer is left out, but the one that computes versions."""
    assert {path for path in SOURCES if not changed_by(path)} == {"normalize/versions.py"}
    assert {"tree.py", "normalize/reading.py"} <= set(SOURCES)
    assert not any(path.startswith(("store/", "cli/")) for path in SOURCES)


def test_moved_text_is_a_change() -> None:
    """Two files that exchange their texts are not taken for the same."""
    one, two = "normalize/values.py", "normalize/messages.py"
    swapped = SOURCES | {one: SOURCES[two], two: SOURCES[one]}
    assert versions(swapped, ["semconv"], "")["semconv"] != versions(SOURCES, ["semconv"], "")["semconv"]


def test_this_process_has_the_versions_of_its_sources() -> None:
    """All dialects and the assembler have one, 32 hex digits each, and nobody takes the assembler's name."""
    assert versions(SOURCES, NAMES, "none") == VERSIONS
    assert set(VERSIONS) == {ASSEMBLER, *(dialect.name for dialect in DIALECTS)}
    assert len(VERSIONS) == len(DIALECTS) + 1
    assert all(len(version) == 32 for version in VERSIONS.values())


def test_without_sources_the_package_version_stands_in() -> None:
    """A package of compiled modules alone changes with its release."""
    assert versions({}, ["agno"], "1.2.3") == {ASSEMBLER: "1.2.3", "agno": "1.2.3"}


def test_a_compiled_package_still_has_versions(tmp_path: Path) -> None:
    """Where only .pyc files exist the normalizer starts, and every part has the release's version."""
    package = Path(__file__).parents[2] / "collector"
    for path in sorted(package.rglob("*.py")):
        part = path.relative_to(package)
        if part.parts[0] in ("__init__.py", "message.py", "tree.py", "tree_text.py", "normalize"):
            target = tmp_path / "collector" / part
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    assert compileall.compile_dir(tmp_path, quiet=1, legacy=True)
    for path in tmp_path.rglob("*.py"):
        path.unlink()
    code = (
        "import collector; from collector.normalize.versions import VERSIONS; "
        "print(collector.__file__, set(VERSIONS.values()))"
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert told.startswith(str(tmp_path))
    assert told.split(maxsplit=1)[1].count("'") == 2  # one version, of all parts
