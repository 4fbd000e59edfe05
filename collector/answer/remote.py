"""A store that a running collector has open, asked through its read endpoint on this machine."""

import contextlib
import http.client
import os
import ssl
import time
from collections.abc import Generator, Iterable, Mapping
from functools import partial
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import duckdb
import orjson
import pyarrow as pa

from collector.answer import wire
from collector.answer.asking import relation
from collector.store.errors import Busy, StoreError, Unavailable
from collector.store.result import Result

TOKEN_VARIABLE = "TRACEGRADE_READ_TOKEN"  # noqa: S105 -- the name of a variable, not a token

_CONNECTIONS = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
"""By scheme. Whom https trusts is the system's matter; SSL_CERT_FILE names other certificates, as for all of OpenSSL."""

TIMEOUT = 600.0
"""Seconds; settling a large store takes its time."""


PATIENCE = 600.0
"""Seconds for which a store that is not available now is asked again: so long a rewrite of some 50 GB takes."""

AGAIN = 0.25
"""Seconds between two such questions, at most."""

LONGEST = 24 * 3600.0
"""Seconds that an order on the whole store may take: it writes all of it."""


class RemoteStore:
    """The store behind `url`. `token` is the one in the store's note; else the variable TRACEGRADE_READ_TOKEN.

    `otlp` is where the collector takes OTLP/HTTP, as its note says; empty where only the URL is known. Raises StoreError
    for a URL that is none, and Unavailable where nobody answers.
    """

    def __init__(self, url: str, token: str | None = None, otlp: str = "", timeout: float = TIMEOUT) -> None:
        parts = urlsplit(url)
        if parts.scheme not in _CONNECTIONS or not parts.hostname or not parts.port:
            raise StoreError(f"{url} is no address of a collector; it looks like http://127.0.0.1:4320.")
        self.url, self.otlp, self._timeout = url, otlp, timeout
        self._connect = partial(_CONNECTIONS[parts.scheme], parts.hostname, parts.port, timeout=timeout)
        self.token = token or os.environ.get(TOKEN_VARIABLE, "").strip()

    def query(self, name: str, **params: Any) -> pa.Table:
        """Run a fixed query (see `Store.query`)."""
        return self._table("/query", {"name": name, "params": params})

    def select(
        self,
        text: str,
        *,
        form: str = "arrow",
        max_rows: int | None = None,
        seconds: float | None = None,
        max_age: float = 0.0,
    ) -> Result:
        """Run free SQL that passes the gate (see `Store.select`); its answer is read as it comes."""
        question = {"text": text, "form": form, "max_rows": max_rows, "seconds": seconds, "max_age": max_age}
        connection, response = self._begin("POST", "/sql", question)
        return wire.result_of(response, response.headers, connection.close)

    def sql(self, text: str, *, max_rows: int | None = None, seconds: float | None = None) -> pa.Table:
        """Run free SQL that passes the gate (see `Store.sql`)."""
        with self.select(text, max_rows=max_rows, seconds=seconds) as found:
            return found.table()

    def relation(
        self, text: str, *, max_rows: int | None = None, seconds: float | None = None
    ) -> duckdb.DuckDBPyRelation:
        """Run free SQL and go on with its rows in DuckDB (see `Store.relation`)."""
        return relation(self, text, max_rows, seconds)

    def settle(self, ids: Iterable[str] | None = None) -> list[str]:
        """Bring trees up to date (see `Store.settle`)."""
        return orjson.loads(self._send("POST", "/settle", {"ids": None if ids is None else list(ids)}))

    def rebuild(self, traces: Iterable[str]) -> None:
        """Build trees again (see `Store.rebuild`)."""
        self._send("POST", "/rebuild", {"traces": list(traces)})

    def append(self, tables: Mapping[str, pa.Table], batch_id: str) -> None:
        """Append to tables of extensions (see `Store.append`)."""
        self._send("POST", "/append", {"batch_id": batch_id, "tables": wire.tables_to_json(tables)})

    def maintain(self, order: Mapping[str, Any]) -> dict[str, Any]:
        """Carry out an order on the whole store (see `Store.maintain`)."""
        return orjson.loads(self._send("POST", "/maintain", dict(order), LONGEST))

    def status(self) -> dict[str, Any]:
        """What the collector says about itself (see `observation`)."""
        return orjson.loads(self._send("GET", "/status", None))

    def answers(self) -> bool:
        """Whether a collector of ours is there and knows the token."""
        try:
            self._send("GET", "/healthz", None)
        except StoreError:
            return False
        return True

    def close(self) -> None:
        """Nothing is kept open between calls."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _table(self, path: str, question: dict[str, Any]) -> pa.Table:
        return wire.to_table(self._send("POST", path, question))

    def _send(self, method: str, path: str, question: dict[str, Any] | None, timeout: float | None = None) -> bytes:
        """The whole answer. Raises what the store raised."""
        connection, response = self._begin(method, path, question, timeout)
        with contextlib.closing(connection), self._heard():
            return response.read()

    def _begin(
        self, method: str, path: str, question: dict[str, Any] | None, timeout: float | None = None
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """Ask, and come back with the head of the answer; the caller closes the connection. Raises what the store raised.

        While the store's file is written anew, or the writer is busy, it is asked again (PATIENCE).
        """
        given_up = time.monotonic() + PATIENCE
        while True:
            connection, response, refusal = self._ask(method, path, question, timeout or self._timeout)
            if refusal is None:
                return connection, response
            error = _error(self.url, response.status, refusal)
            if not isinstance(error, Busy | Unavailable) or time.monotonic() > given_up:
                raise error
            time.sleep(min(error.retry_after, AGAIN))

    def _ask(
        self, method: str, path: str, question: dict[str, Any] | None, timeout: float
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse, bytes | None]:
        """The connection with the head of its answer; of a refusal the body too, and the connection is closed then."""
        body = b"" if question is None else orjson.dumps(question)
        headers = {"content-type": "application/json", wire.AUTHORIZATION: f"Bearer {self.token}"}
        connection = self._connect(timeout=timeout)
        try:
            with self._heard():
                connection.request(method, path, body, headers)
                response = connection.getresponse()
                refusal = None if response.status == http.client.OK else response.read()
        except BaseException:
            connection.close()
            raise
        if refusal is not None:
            connection.close()
        return connection, response, refusal

    @contextlib.contextmanager
    def _heard(self) -> Generator[None]:
        try:
            yield
        except ssl.SSLCertVerificationError as problem:
            raise StoreError(
                f"The certificate of {self.url} is not trusted: {problem.verify_message}. Where a private authority signed it, "
                "name that one's certificate with SSL_CERT_FILE."
            ) from None
        except (OSError, http.client.HTTPException):
            raise Unavailable(f"No collector answers at {self.url}; is it running?") from None


def _error(url: str, status: int, answer: bytes) -> StoreError:
    if status == http.client.UNAUTHORIZED:
        return StoreError(
            f"The collector at {url} does not know this reader. On its own machine name the store's path instead of the "
            f"address; elsewhere set {TOKEN_VARIABLE} to a token of `tracegrade token create --scope read`."
        )
    try:
        raw = orjson.loads(answer)
        return wire.named(raw["error"], raw["message"])
    except (ValueError, KeyError, TypeError):
        return StoreError(f"{url} does not answer as a tracegrade collector does (status {status}).")
