"""Where tokens live: in the store, as tables beside the traces.

So they go where the store goes, are written by the one writer that owns the file, and a change is durable when it is answered.
"""

import time
from pathlib import Path
from typing import Any

import pyarrow as pa

from collector.access.audit import AUDIT, KEPT_DAYS
from collector.access.tokens import Token
from collector.store.extension import Extension

_FOLDER = Path(__file__).parent
TOKENS = "tokens"
"""The fixed query that lists them: for the store's owner alone."""

ACCESS = Extension(
    "access",
    (_FOLDER / "schema.sql").read_text("utf-8"),
    {name: (_FOLDER / "queries" / f"{name}.sql").read_text("utf-8") for name in (TOKENS, AUDIT)},
    audited={"tokens": "token created", "limits": "token limited", "revocations": "token revoked"},
    lasting={"audit": ("at", KEPT_DAYS)},
)
"""The tables; every store has them."""

_TIME = pa.timestamp("ns")


def made(token: Token) -> dict[str, pa.Table]:
    """A new token as rows to append, its limits among them where it has some."""
    row = {
        "token_id": pa.array([token.id]),
        "scope": pa.array([token.scope]),
        "name": pa.array([token.name]),
        "digest": pa.array([token.digest.hex()]),
        "created_at": pa.array([token.created], _TIME),
        "expires_at": pa.array([token.expires], _TIME),
    }
    tables = {"access.tokens": pa.table(row)}
    if token.bytes_per_second is not None or token.in_flight_bytes is not None:
        tables |= limited(token.id, token.bytes_per_second, token.in_flight_bytes)
    return tables


def limited(token_id: str, bytes_per_second: int | None, in_flight_bytes: int | None) -> dict[str, pa.Table]:
    """What a token may send from now on (None: what the setting says; 0: no limit), as rows to append."""
    row = {
        "token_id": pa.array([token_id]),
        "bytes_per_second": pa.array([bytes_per_second], pa.uint64()),
        "in_flight_bytes": pa.array([in_flight_bytes], pa.uint64()),
        "set_at": pa.array([time.time_ns()], _TIME),
    }
    return {"access.limits": pa.table(row)}


def revoked(token_id: str) -> dict[str, pa.Table]:
    """A revocation as of now, as rows to append."""
    return {
        "access.revocations": pa.table({"token_id": [token_id], "revoked_at": pa.array([time.time_ns()], _TIME)}),
    }


OWNERS = frozenset({TOKENS, AUDIT})
"""Fixed queries that are the owner's alone."""


def touches(names: Any) -> bool:
    """Whether an append to these tables changes who may come in."""
    return any(name.startswith(f"{ACCESS.name}.") for name in names)


def read(listed: pa.Table) -> list[Token]:
    """The answer of the query `tokens`."""
    return [
        Token(
            id=row["token_id"],
            scope=row["scope"],
            digest=bytes.fromhex(row["digest"]),
            created=row["created"],
            name=row["name"],
            expires=row["expires"],
            revoked=row["revoked"],
            bytes_per_second=row["bytes_per_second"],
            in_flight_bytes=row["in_flight_bytes"],
        )
        for row in listed.to_pylist()
    ]
