"""Labels in the store: appended one transaction at a time through whoever has the file open, and later rows win."""

import time
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from collector import Store
from grader.people.label import Label

TABLE = "grading.labels"
_TIME = pa.timestamp("ns")
_SCHEMA = pa.schema(
    {
        "sample_id": pa.string(), "output_hash": pa.string(), "value": pa.float64(), "passed": pa.bool_(),
        "notes": pa.string(), "check_name": pa.string(), "labeler": pa.string(), "created_at": _TIME,
        "raw": pa.string(), "run_id": pa.string(), "suite": pa.string(), "case_name": pa.string(), "recorded_at": _TIME,
    }
)  # fmt: skip


def append(store: Store, labels: Sequence[Label]) -> None:
    """Writes them down in their order, in one transaction."""
    if labels:
        now = time.time_ns()
        rows = [_row(label, now + number) for number, label in enumerate(labels)]
        store.append({TABLE: pa.Table.from_pylist(rows, schema=_SCHEMA)}, batch_id=f"labels-{uuid.uuid4().hex}")


def about(store: Store, samples: Iterable[str], runs: Iterable[str]) -> list[Label]:
    """Labels of these samples, and of these runs (also under ids that later joins absorbed), the oldest row first."""
    rows = store.query("known_labels", samples=sorted(set(samples)), runs=sorted(set(runs)))
    return [_label(row) for row in rows.to_pylist()]


def every(store: Store) -> list[Label]:
    """All labels, the oldest row first."""
    return [_label(row) for row in store.query("all_labels").to_pylist()]


def names(store: Store) -> dict[str, int]:
    """How many labels there are by the name of their check; "": without one."""
    rows = store.query("label_names").to_pylist()
    return {row["check_name"]: row["labels"] for row in rows}


def _row(label: Label, now: int) -> dict[str, object]:
    return {
        "sample_id": label.sample_id, "output_hash": label.output_hash, "value": label.value, "passed": label.passed,
        "notes": label.notes, "check_name": label.check, "labeler": label.labeler, "created_at": label.created_at,
        "raw": label.raw, "run_id": label.run_id, "suite": label.suite, "case_name": label.case, "recorded_at": now,
    }  # fmt: skip


def _label(row: dict[str, Any]) -> Label:
    fields = dict(row)
    return Label(
        check=fields.pop("check_name"), case=fields.pop("case_name"), created_at=fields.pop("created_ns"), **fields
    )
