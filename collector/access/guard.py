"""The guard of one door: may a request with this credential pass? Asked with its head alone, before its body is read (G-09)."""

import logging
from collections.abc import Iterable
from typing import Literal

from collector.access import credentials
from collector.access.book import Book
from collector.access.failures import Failures
from collector.access.quota import Portion
from collector.access.tokens import Scope

_log = logging.getLogger(__name__)

Verdict = Literal["unauthenticated", "forbidden", "limited"]
"""No token or an unknown one; one of another scope; too many such requests. No more is told (X-05)."""

Need = Literal["always", "once made", "while live"]
"""When a token is asked for: always; as soon as there was ever one; while one is in force (what --insecure asks for)."""


class Guard:
    """Lets pass who shows a token of one of these scopes. `what` names the requests in the log: Exports, Reads."""

    def __init__(self, book: Book, scopes: Iterable[Scope], need: Need, failures: Failures, what: str) -> None:
        self._book, self._scopes, self._need = book, frozenset(scopes), need
        self._failures, self._what = failures, what

    @property
    def asks(self) -> bool:
        """Whether a token is needed now."""
        if self._need == "always":
            return True
        look = self._book.knows if self._need == "once made" else self._book.has
        return any(look(scope) for scope in self._scopes)

    def look(self, authorization: str) -> Verdict | None:
        """What is wrong with this credential; None: nothing. Whoever is refused is then counted with `failed`."""
        if not self.asks:
            return None
        secret = credentials.secret(authorization)
        found = self._book.scopes(secret) if secret else frozenset[Scope]()
        if found & self._scopes:
            return None
        return "forbidden" if found else "unauthenticated"

    def failed(self, verdict: Verdict, peer: str) -> Verdict:
        """Count a refusal; what to answer: the verdict, or `limited` where the peer fails too often."""
        over, tell = self._failures.count(peer)
        if tell:
            why = "their token is of another scope" if verdict == "forbidden" else "they show no token that is in force"
            _log.warning("%s from %s are refused: %s.", self._what, peer or "a local peer", why)
        told: Verdict = "limited" if over else verdict
        self._failures.refused.add(self._what.lower(), told)
        return told

    def judge(self, authorization: str, peer: str) -> Verdict | None:
        """Both in one."""
        verdict = self.look(authorization)
        return verdict and self.failed(verdict, peer)

    def shows(self, authorization: str, scope: Scope) -> bool:
        """Whether this credential has a scope."""
        secret = credentials.secret(authorization)
        return secret is not None and scope in self._book.scopes(secret)

    def who(self, authorization: str) -> str:
        """The id of the bearer that this door lets pass, for the audit table; empty where there is none."""
        secret = credentials.secret(authorization)
        found = [bearer.id for bearer in self._book.bearers(secret) if bearer.scope in self._scopes] if secret else []
        return found[0] if found else ""

    def portion(self, authorization: str) -> Portion | None:
        """What one more request with this credential may take; None: it is not counted."""
        secret = credentials.secret(authorization)
        return self._book.portion(secret) if secret else None
