"""All tokens in force, from the store and from files: what may the bearer of this secret do?"""

import hmac
import time
from collections.abc import Callable, Iterable, Sequence

from collector.access.quota import UNLIMITED, Portion, Quota, Tenant
from collector.access.token_file import TokenFile
from collector.access.tokens import Bearer, Scope, Token, digest

OWNER = "local"
"""The id of the store's owner, who has no token of the store."""


class Book:
    """Looks secrets up. `stored` gives the store's tokens: at the start and whenever `reload` is called.

    `owner` is the secret of this run, good for everything that the store's owner does here. `quota` counts for ingest tokens
    without limits of their own. `clock` gives nanoseconds.
    """

    def __init__(
        self,
        stored: Callable[[], Iterable[Token]],
        files: Sequence[TokenFile] = (),
        owner: str = "",
        clock: Callable[[], int] = time.time_ns,
        quota: Quota = UNLIMITED,
    ) -> None:
        self._stored, self._files, self._clock = stored, tuple(files), clock
        self._owner = digest(owner) if owner else None
        self._quota = quota
        self._tokens: tuple[tuple[Token, Bearer], ...] = ()
        self._tenants: dict[str, Tenant] = {}
        self.reload()

    def reload(self) -> None:
        """Take up what was made and revoked since."""
        self._tokens = tuple((t, Bearer(t.id, t.scope, t.quota(self._quota))) for t in self._stored())
        self._limited = bool(self._quota) or any(bearer.quota for _, bearer in self._tokens)

    def bearers(self, secret: str) -> list[Bearer]:
        """Who shows this secret now; none for an unknown, expired or revoked one, several where it was given twice.

        Every digest is compared, each in constant time and of 32 bytes: how long it takes tells nothing (X-02).
        """
        shown = digest(secret)
        return [bearer for known, bearer in self._live() if hmac.compare_digest(known, shown)]

    def scopes(self, secret: str) -> frozenset[Scope]:
        """What this secret is good for now."""
        return frozenset([bearer.scope for bearer in self.bearers(secret)])

    def portion(self, secret: str) -> Portion | None:
        """What one more request with this ingest token may take; None where it has no quota. No other header counts (X-04)."""
        if not self._limited:
            return None
        found = [bearer for bearer in self.bearers(secret) if bearer.scope == "ingest" and bearer.quota]
        if not found:
            return None
        bearer = found[0]
        tenant = self._tenants.get(bearer.id)
        if tenant is None or tenant.quota != bearer.quota:
            tenant = self._tenants[bearer.id] = Tenant(bearer.quota)
        return Portion(tenant)

    def has(self, scope: Scope) -> bool:
        """Whether any token of this scope is in force."""
        return any(bearer.scope == scope for _, bearer in self._live())

    def knows(self, scope: Scope) -> bool:
        """Whether there ever was one: a port that a token guarded does not open because it expired or was revoked."""
        return any(token.scope == scope for token, _ in self._tokens) or any(f.scope == scope for f in self._files)

    def _live(self) -> list[tuple[bytes, Bearer]]:
        now = self._clock()
        found = [(token.digest, bearer) for token, bearer in self._tokens if token.state(now) == "live"]
        for file in self._files:
            found += [(known, Bearer(f"file:{known.hex()[:8]}", file.scope, self._quota)) for known in file.digests()]
        return found if self._owner is None else [*found, (self._owner, Bearer(OWNER, "owner"))]
