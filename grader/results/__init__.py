"""Gradings as tables beside the traces: the schema, the reads, and the rows that a grading becomes."""

from pathlib import Path

from collector import Extension


def extension() -> Extension:
    """What the store needs to hold and answer gradings; every file in `queries` is a read of its name."""
    folder = Path(__file__).parent
    queries = {f.stem: f.read_text(encoding="utf-8") for f in sorted((folder / "queries").glob("*.sql"))}
    return Extension(
        name="grading",
        schema_sql=(folder / "schema.sql").read_text(encoding="utf-8"),
        queries=queries,
        quotes={"case_results": ("run_id", ("reason",)), "check_results": ("run_id", ("sentence",))},
        audited={"labels": "label"},
    )
