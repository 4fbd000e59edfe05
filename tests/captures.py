"""Recorded traces of real frameworks, with the truth beside them: `tests/data/captures/NAME/{*.pb,*.json,meta.json}`."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from collector import normalize
from collector.decode import Decoded, logs_json, logs_protobuf, traces_json, traces_protobuf
from collector.decode.columns import LOGS, SPANS
from collector.tree import Run

FOLDER = Path(__file__).parent / "data" / "captures"
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/meta.json"))


@dataclass(frozen=True, slots=True, eq=False)
class Capture:
    """The export bodies of one run of one framework as rows, and what that run really did."""

    name: str
    spans: pa.Table
    logs: pa.Table
    scenario: str
    truth: dict[str, Any]

    def trees(self) -> list[Run]:
        """What the normalizer makes of it."""
        return normalize.trees(self.spans, self.logs)


@cache
def load(name: str) -> Capture:
    """A capture by its folder's name."""
    folder = FOLDER / name
    meta = json.loads((folder / "meta.json").read_text())
    bodies = [
        _decoded(path) for path in sorted(folder.iterdir()) if path.name != "meta.json" and ".metrics." not in path.name
    ]
    spans, logs = ([body for body in bodies if body.kind == kind] for kind in ("spans", "logs"))
    return Capture(name, _table(spans, SPANS), _table(logs, LOGS), meta["scenario"], meta["expected"])


def _decoded(path: Path) -> Decoded:
    is_log, is_json = path.name.endswith((".logs.pb", ".logs.json")), path.suffix == ".json"
    read: Callable[[bytes], Decoded] = {
        (False, False): traces_protobuf,
        (False, True): traces_json,
        (True, False): logs_protobuf,
        (True, True): logs_json,
    }[is_log, is_json]
    return read(path.read_bytes())


def _table(bodies: list[Decoded], columns: dict[str, pa.DataType]) -> pa.Table:
    schema = pa.schema(list(columns.items()))
    return pa.table({name: [v for body in bodies for v in body.columns[name]] for name in columns}, schema=schema)
