"""The parts of the README that are made from the code: `python -m tests.docs.generate` writes them anew."""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

from collector.cli.instrumentation import Snippet, snippets
from collector.config import PREFIX, Settings
from collector.decode.decoded import REASONS, WARNINGS
from collector.measure.families import FAMILIES
from tests.docs.readme import README, with_part

ROOT = README.parent
SCHEMAS = (ROOT / "collector/store/schema.sql", ROOT / "grader/results/schema.sql")
INTERNAL = {
    "about",
    "commits",
    "arrivals",
    "superseded",
    "batches",
    "tombstones",
    "references",
    "builds",
    "normalizers",
    "replaced",
}
"""Tables that people do not read: the ledger, and what the settler notes."""

ELSEWHERE = {
    "span_revisions": "`spans` with the revisions that richer ones replaced: the same columns and `superseded`",
    "run_aliases": "`alias`: the id of a run that a later join absorbed, `run_id`: the run that holds it now",
}
"""Views with columns of their own, in words."""


def tables() -> str:
    """Each table with its columns, their types where they are not text, and what the schema says about them."""
    said = [f"**`{name}`** — {', '.join(columns)}" for name, columns in _tables(*SCHEMAS)]
    said += [f"**`{name}`** — {text}" for name, text in ELSEWHERE.items()]
    return "\n\n".join(said)


def audit() -> str:
    """The columns of the audit table, which is no view of free SQL."""
    return ", ".join(
        next(columns for name, columns in _tables(ROOT / "collector/access/schema.sql") if name == "audit")
    )


def settings() -> str:
    """Each setting with its variable, default and meaning."""
    rows = ["| in `tracegrade.toml` | variable | default | what it is |", "| --- | --- | --- | --- |"]
    for field in fields(Settings):
        variable = PREFIX + field.name.upper()
        default = "none" if field.default == "" else f"`{field.default}`"
        rows.append(f"| `{field.name}` | `{variable}` | {default} | {field.metadata['help']} |")
    return "\n".join(rows)


def capture_reasons() -> str:
    """The reason codes of capture, from the module that gives them."""
    text = _docstring(ROOT / "collector/normalize/assemble/capture.py")
    pairs = re.findall(r"^ {4}(\S.*?)  +(\S.*)$", text, re.MULTILINE)
    return _codes([(codes.replace(", ", "`, `"), meaning) for codes, meaning in pairs])


def dialects() -> str:
    """Each dialect with the first sentence of its module."""
    rows = ["| dialect | spans of |", "| --- | --- |"]
    for path in sorted((ROOT / "collector/normalize/dialects").glob("[a-z]*.py")):
        sentence = re.split(r"\.(?=\s|$)", _docstring(path), maxsplit=1)[0]
        rows.append(f"| `{path.stem}` | {' '.join(sentence.split())} |")
    return "\n".join(rows)


def switches() -> str:
    """Each framework with what instruments it, whether content is recorded by default, and what turns it on."""
    rows = [
        "| name | framework | instrumentation | content by default | switch |",
        "| --- | --- | --- | --- | --- |",
    ]
    alike: dict[tuple[str, str, str], list[Snippet]] = {}
    for snippet in snippets().values():
        alike.setdefault((snippet.by, snippet.content, snippet.switch), []).append(snippet)
    for (by, content, switch), found in alike.items():
        names, titles = ", ".join(f"`{s.name}`" for s in found), ", ".join(s.title for s in found)
        rows.append(f"| {names} | {titles} | {by} | {content} | {switch} |")
    return "\n".join(rows)


def metrics() -> str:
    """Each metric with its kind, its labels and its meaning."""
    rows = ["| metric | kind | labels | what it is |", "| --- | --- | --- | --- |"]
    for family in FAMILIES:
        labels = ", ".join(f"`{label}`" for label in family.labels)
        rows.append(f"| `{family.name}` | {family.kind} | {labels} | {family.help} |")
    return "\n".join(rows)


PARTS: dict[str, Callable[[], str]] = {
    "switches": switches,
    "tables": tables,
    "audit": audit,
    "settings": settings,
    "metrics": metrics,
    "capture reasons": capture_reasons,
    "refusals": lambda: _codes(list(REASONS.items())),
    "warnings": lambda: _codes(list(WARNINGS.items())),
    "dialects": dialects,
}


def _codes(pairs: list[tuple[str, str]]) -> str:
    rows = [f"| `{code}` | {meaning} |" for code, meaning in pairs]
    return "\n".join(["| code | meaning |", "| --- | --- |", *rows])


def _docstring(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text())) or ""


def _tables(*schemas: Path) -> Iterator[tuple[str, list[str]]]:
    table = re.compile(r"^CREATE TABLE IF NOT EXISTS \w+\.(\w+) \(\n(.*?)^\)", re.MULTILINE | re.DOTALL)
    for path in schemas:
        for name, body in table.findall(path.read_text()):
            if name not in INTERNAL:
                yield name, [column for line in body.splitlines() for column in _columns(line)]


def _columns(line: str) -> Iterator[str]:
    code, _, comment = line.partition("--")
    if "absorbed_by" in code or "commit_row" in code:
        return  # the views leave them out
    for name, kind in re.findall(r'"?(\w+)"? +([A-Z_]+(?:\[\])?)', code):
        about = [kind] if kind != "VARCHAR" else []
        about += [comment.strip()] if comment.strip() else []
        yield f"`{name}`" + (f" ({': '.join(about)})" if about else "")


def generated(text: str) -> str:
    """The README's text with all these parts made anew."""
    for name, make in PARTS.items():
        text = with_part(text, name, make())
    return text


if __name__ == "__main__":
    README.write_text(generated(README.read_text()))
