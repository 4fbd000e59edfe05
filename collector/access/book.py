"""All tokens in force, from the store and from files: what may the bearer of this secret do?"""

import hmac
import time
from collections.abc import Callable, Iterable, Sequence

from collector.access.token_file import TokenFile
from collector.access.tokens import Scope, Token, digest


class Book:
    """Looks secrets up. `stored` gives the store's tokens: at the start and whenever `reload` is called.

    `owner` is the secret of this run, good for everything that the store's owner does here. `clock` gives nanoseconds.
    """

    def __init__(
        self,
        stored: Callable[[], Iterable[Token]],
        files: Sequence[TokenFile] = (),
        owner: str = "",
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        self._stored, self._files, self._clock = stored, tuple(files), clock
        self._owner = digest(owner) if owner else None
        self._tokens: tuple[Token, ...] = ()
        self.reload()

    def reload(self) -> None:
        """Take up what was made and revoked since."""
        self._tokens = tuple(self._stored())

    def scopes(self, secret: str) -> frozenset[Scope]:
        """What this secret is good for now; empty for an unknown, expired or revoked one.

        Every digest is compared, each in constant time and of 32 bytes: how long it takes tells nothing (X-02).
        """
        shown = digest(secret)
        return frozenset([scope for known, scope in self._live() if hmac.compare_digest(known, shown)])

    def has(self, scope: Scope) -> bool:
        """Whether any token of this scope is in force."""
        return any(found == scope for _, found in self._live())

    def knows(self, scope: Scope) -> bool:
        """Whether there ever was one: a port that a token guarded does not open because it expired or was revoked."""
        return any(token.scope == scope for token in self._tokens) or any(f.scope == scope for f in self._files)

    def _live(self) -> list[tuple[bytes, Scope]]:
        now = self._clock()
        found: list[tuple[bytes, Scope]] = [(t.digest, t.scope) for t in self._tokens if t.state(now) == "live"]
        found += [(known, file.scope) for file in self._files for known in file.digests()]
        return found if self._owner is None else [*found, (self._owner, "owner")]
