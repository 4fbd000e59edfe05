"""An exported store: a folder of Parquet files by arrival day, with a manifest that names each of them.

    DIR/manifest.json
    DIR/spans/day=2026-11-30/part-0.parquet      spans, logs and what is known of runs, by the day of arrival (UTC)
    DIR/commits/part-0.parquet                   small tables, in one file each

The manifest is written last, and the whole folder gets its name after that: one that was cut short has neither.
"""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import orjson

from collector.store.errors import StoreError
from collector.store.version import SCHEMA_VERSION

MANIFEST = "manifest.json"
FORMAT = "tracegrade export 1"


@dataclass(frozen=True, slots=True)
class Part:
    """One file: its path within the folder, and how many rows it has."""

    path: str
    rows: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an export holds, by qualified table name."""

    tables: dict[str, list[Part]]
    schema_version: int = SCHEMA_VERSION

    def rows(self, table: str) -> int:
        """How many rows of this table there are."""
        return sum(part.rows for part in self.tables.get(table, ()))

    def written(self) -> bytes:
        """As JSON."""
        tables = {name: [{"path": p.path, "rows": p.rows} for p in parts] for name, parts in self.tables.items()}
        told = {"format": FORMAT, "schema_version": self.schema_version, "tables": tables}
        return orjson.dumps(told, option=orjson.OPT_INDENT_2) + b"\n"


def is_export(folder: Path) -> bool:
    """Whether this folder is an export of ours, of whatever version."""
    try:
        raw = orjson.loads((folder / MANIFEST).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return False
    return isinstance(raw, dict) and str(raw.get("format", "")).startswith("tracegrade export")


def read(folder: Path) -> Manifest:
    """The manifest of an export. Raises StoreError where it is none, of another version, or where files are missing."""
    if not is_export(folder):
        raise StoreError(f"{folder} is no export of tracegrade: it has no {MANIFEST} of ours.")
    raw: dict[str, Any] = orjson.loads((folder / MANIFEST).read_bytes())
    if raw["format"] != FORMAT or raw.get("schema_version") != SCHEMA_VERSION:
        raise StoreError(
            f"{folder} was exported with store schema {raw.get('schema_version')}; this tracegrade reads {SCHEMA_VERSION}. "
            "Load it with the tracegrade that wrote it."
        )
    try:
        tables = {name: [Part(p["path"], int(p["rows"])) for p in parts] for name, parts in raw["tables"].items()}
    except (KeyError, TypeError, ValueError, AttributeError):
        raise StoreError(f"{folder / MANIFEST} is damaged.") from None
    for part in (part for parts in tables.values() for part in parts):
        inside = PurePosixPath(part.path)
        if inside.is_absolute() or ".." in inside.parts:
            raise StoreError(f"{folder / MANIFEST} names a file outside of its folder.")
        if not (folder / part.path).is_file():
            raise StoreError(f"{folder} is not whole: {part.path} is missing.")
    return Manifest(tables)
