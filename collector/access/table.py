"""Where tokens live: in the store, as two tables beside the traces.

So they go where the store goes, are written by the one writer that owns the file, and a change is durable when it is answered.
"""

import time
from pathlib import Path
from typing import Any

import pyarrow as pa

from collector.access.tokens import Token
from collector.store.extension import Extension

_FOLDER = Path(__file__).parent
TOKENS = "tokens"
"""The fixed query that lists them: for the store's owner alone."""

ACCESS = Extension(
    "access",
    (_FOLDER / "schema.sql").read_text("utf-8"),
    {TOKENS: (_FOLDER / "queries" / "tokens.sql").read_text("utf-8")},
)
"""The tables; every store has them."""

_TIME = pa.timestamp("ns")


def made(token: Token) -> dict[str, pa.Table]:
    """A new token as rows to append."""
    row = {
        "token_id": pa.array([token.id]),
        "scope": pa.array([token.scope]),
        "name": pa.array([token.name]),
        "digest": pa.array([token.digest.hex()]),
        "created_at": pa.array([token.created], _TIME),
        "expires_at": pa.array([token.expires], _TIME),
    }
    return {"access.tokens": pa.table(row)}


def revoked(token_id: str) -> dict[str, pa.Table]:
    """A revocation as of now, as rows to append."""
    return {
        "access.revocations": pa.table({"token_id": [token_id], "revoked_at": pa.array([time.time_ns()], _TIME)}),
    }


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
        )
        for row in listed.to_pylist()
    ]
