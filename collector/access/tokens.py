"""Tokens: what one is, how one is made, and all that is kept of one: a hash.

A secret has 256 random bits, so that one round of SHA-256 without salt keeps it: there is nothing to be guessed.
"""

import hashlib
import secrets
from dataclasses import dataclass
from typing import Literal

from collector.access.quota import UNLIMITED, Quota

Scope = Literal["ingest", "read", "owner"]
"""What a token is good for. `owner` is that of one run of a collector, for the commands of its own user (see `notice`)."""

_MARKS = {"ingest": "tgi_", "read": "tgr_", "owner": "tgo_"}
"""How secrets begin, so that scanners of leaked secrets, and people, know them."""


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who shows a good secret: the id of its token, what it is good for, and how much of it."""

    id: str
    scope: Scope
    quota: Quota = UNLIMITED


@dataclass(frozen=True, slots=True)
class Token:
    """A token as the store keeps it. Times are nanoseconds since 1970; `expires` and `revoked` may be None.

    The limits are bytes: None where the setting counts, 0 for no limit (see `quota`).
    """

    id: str
    scope: Scope
    digest: bytes
    created: int
    name: str = ""
    expires: int | None = None
    revoked: int | None = None
    bytes_per_second: int | None = None
    in_flight_bytes: int | None = None

    def quota(self, default: Quota) -> Quota:
        """How much it may send, where `default` is what the settings say."""
        rate, held = self.bytes_per_second, self.in_flight_bytes
        return Quota(
            default.bytes_per_second if rate is None else rate, default.in_flight_bytes if held is None else held
        )

    def state(self, now: int) -> Literal["live", "expired", "revoked"]:
        """What it is at a point in time."""
        if self.revoked is not None:
            return "revoked"
        return "expired" if self.expires is not None and self.expires <= now else "live"


def new_secret(scope: Scope) -> str:
    """A random secret of 256 bits, safe in URLs, headers and shells."""
    return _MARKS[scope] + secrets.token_urlsafe(32)


def new_id() -> str:
    """A random id, by which a token is revoked; it says nothing about the secret."""
    return secrets.token_hex(4)


def digest(secret: str) -> bytes:
    """32 bytes, whatever comes in."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
