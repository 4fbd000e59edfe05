"""The schema's version: one integer, raised whenever an older program could misread or break a newer file, or the reverse.

1   The first: evidence (spans, logs, arrivals, commits, superseded, batches) and canonical tables by run and build.
2   canonical.builds says which normalizer built a trace, canonical.normalizers of which parts that was made.
3   canonical.messages, and canonical.runs says by messages_digest which ones a build wrote.
4   evidence.tombstones: what was deleted is refused when it is sent again; spans.beside notes what was redacted.
"""

import hashlib
import secrets
from collections.abc import Sequence
from pathlib import Path

import duckdb

from collector.store import statements
from collector.store.errors import NotAStore
from collector.store.extension import Extension

SCHEMA_VERSION = 4

STORE_ID = "store_id"
"""What tells this store from every other: 32 random hex digits, kept when the file is rewritten."""

_FILES = {"schema": "schema.sql", "views": "views.sql"}
"""In the order in which they are run."""


def prepare(
    connection: duckdb.DuckDBPyConnection, place: str, created_by: str, extensions: Sequence[Extension] = ()
) -> None:
    """Create what is missing, or refuse a store of another version (`place` names it in the message).

    Schema texts that were run before are left alone. Otherwise it ends with a CHECKPOINT before anything is served,
    since replaying a log that holds schema changes is DuckDB's buggy corner (D-04).
    """
    about = _about(connection, place)
    version = about.get("schema_version")
    if version is not None and version != {str(SCHEMA_VERSION)}:
        raise NotAStore(
            f"{place} was written with store schema {', '.join(sorted(version))}; this tracegrade reads schema "
            f"{SCHEMA_VERSION}. Use the tracegrade that wrote it, or name another file with --store."
        )
    texts = {key: (Path(__file__).parent / file).read_text("utf-8") for key, file in _FILES.items()}
    texts |= {f"schema of {e.name}": f'CREATE SCHEMA IF NOT EXISTS "{e.name}";\n{e.schema_sql}' for e in extensions}
    missing = {key: text for key, text in texts.items() if _hash(text) not in about.get(key, ())}
    notes = {key: _hash(text) for key, text in missing.items()}
    if STORE_ID not in about:
        notes[STORE_ID] = secrets.token_hex(16)
    if not notes:
        return
    connection.execute("BEGIN")
    for text in missing.values():
        connection.execute(text)
    if version is None:
        notes |= {"schema_version": str(SCHEMA_VERSION), "created_by": created_by}
    connection.execute(statements.load()["ledger/note"], {"keys": list(notes.keys()), "values": list(notes.values())})
    connection.execute("COMMIT")
    connection.execute("CHECKPOINT")


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _about(connection: duckdb.DuckDBPyConnection, place: str) -> dict[str, set[str]]:
    """What the store says of itself: key to values; empty for a new file."""
    sql = statements.load()
    if not connection.execute(sql["ledger/tables"]).fetchall():
        return {}
    try:
        rows = connection.execute(sql["ledger/about"]).fetchall()
    except duckdb.CatalogException:
        raise NotAStore(
            f"{place} is a DuckDB database but not a tracegrade store; name another file with --store."
        ) from None
    found: dict[str, set[str]] = {}
    for key, value in rows:
        found.setdefault(key, set()).add(value)
    return found
