"""The read endpoint of a running collector: the store's methods over HTTP, on this machine alone.

Every request shows the token that stands in the store's note (`notice`); one without it is refused before its body is
read. Blocking work runs in a few threads, so that readers wait for each other and not the exporters for them.
"""

import asyncio
import hmac
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pyarrow as pa

from collector.answer import wire
from collector.store.errors import StoreError
from collector.store.protocol import Store
from collector.web.server import Head, HttpServer, Request, Response

_log = logging.getLogger(__name__)

READERS = 4
"""Reads at the same time; others wait."""

HOST = "127.0.0.1"

_JSON = "application/json"
_TABLES = frozenset({"/query", "/sql"})


class ReadEndpoint:
    """Serves `store` to other processes of this machine that know `token`."""

    def __init__(self, store: Store, token: str) -> None:
        self._store = store
        self._expected = f"Bearer {token}".encode()
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="tracegrade-read")
        self._server = HttpServer(self._handle, admit=self._admit)
        self._calls: dict[str, Callable[[dict[str, Any]], bytes]] = {
            "/query": self._query,
            "/sql": self._sql,
            "/settle": self._settle,
            "/rebuild": self._rebuild,
            "/append": self._append,
            "/maintain": self._maintain,
        }

    async def start(self, port: int = 0) -> str:
        """Listen on loopback (0: a free port); returns the URL. Raises OSError where the port is taken."""
        bound = await self._server.start(HOST, port)
        return f"http://{HOST}:{bound}"

    async def stop(self, grace: float = 5.0) -> None:
        """Take no more requests, and finish those that run."""
        await self._server.stop(grace)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _admit(self, request: Head) -> Response | None:
        shown = request.headers.get(wire.AUTHORIZATION, "").encode()
        if not hmac.compare_digest(shown, self._expected):
            return _problem(401, "Unauthorized", "The token of the store's note is missing or wrong.")
        return None

    async def _handle(self, request: Request) -> Response:
        if request.path == "/healthz" and request.method == "GET":
            return Response(200, b"{}", _JSON)
        call = self._calls.get(request.path)
        if call is None or request.method != "POST":
            return _problem(404, "StoreError", f"There is no {request.method} {request.path} here.")
        try:
            question = orjson.loads(request.body)
            answer = await asyncio.get_running_loop().run_in_executor(self._threads, call, question)
        except StoreError as error:
            return _problem(wire.STATUS.get(type(error), 500), type(error).__name__, str(error))
        except (ValueError, KeyError, TypeError, pa.ArrowException):
            return _problem(400, "StoreError", "The request is not what this endpoint understands.")
        except Exception as error:  # noqa: BLE001 -- the answer must say something
            _log.error("A read failed: %s", type(error).__name__)
            return _problem(500, "StoreError", "The read failed; see the collector's log.")
        return Response(200, answer, wire.ARROW if request.path in _TABLES else _JSON)

    def _query(self, question: dict[str, Any]) -> bytes:
        return wire.to_bytes(self._store.query(question["name"], **question["params"]))

    def _sql(self, question: dict[str, Any]) -> bytes:
        limits = {"max_rows": question.get("max_rows"), "seconds": question.get("seconds")}
        return wire.to_bytes(self._store.sql(question["text"], **limits))

    def _settle(self, question: dict[str, Any]) -> bytes:
        return orjson.dumps(self._store.settle(question["ids"]))

    def _rebuild(self, question: dict[str, Any]) -> bytes:
        self._store.rebuild(question["traces"])
        return b""

    def _append(self, question: dict[str, Any]) -> bytes:
        self._store.append(wire.tables_from_json(question["tables"]), question["batch_id"])
        return b""

    def _maintain(self, question: dict[str, Any]) -> bytes:
        return orjson.dumps(self._store.maintain(question))


def _problem(status: int, kind: str, message: str) -> Response:
    return Response(status, orjson.dumps({"error": kind, "message": message}), _JSON)
