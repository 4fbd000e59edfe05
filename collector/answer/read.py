"""The read endpoint of a running collector: the store's methods over HTTP.

Every request shows a token, and one without is refused before its body is read. The token in the store's note (`notice`) is
the owner's and may do everything; a read token may only read. Blocking work runs in a few threads, so that readers wait for
each other and not the exporters for them.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Protocol
from urllib.parse import parse_qsl

import orjson
import pyarrow as pa

from collector.access import table
from collector.access.book import OWNER
from collector.access.guard import Guard, Verdict
from collector.answer import wire
from collector.answer.local import LocalStore
from collector.measure.page import CONTENT_TYPE
from collector.measure.tally import Tally
from collector.store.errors import RefusedStatement, StoreError
from collector.web.server import Head, HttpServer, Request, Response
from collector.web.tls import Certificates

_log = logging.getLogger(__name__)

READERS = 4
"""Reads at the same time; others wait."""

LONGEST = 600.0
"""Seconds that a statement may ask for."""

HOST = "127.0.0.1"

_JSON = "application/json"
_READS = frozenset({"/query", "/sql", "/settle", "/healthz", "/metrics", "/status"})
"""What a read token may ask for; whatever else there is, or comes to be, is the owner's."""

_REFUSALS: dict[Verdict, tuple[int, str]] = {
    "unauthenticated": (401, "A valid token is needed to read here."),
    "forbidden": (403, "This token may not read: it is of another scope."),
    "limited": (429, "Too many requests without a valid token; ask again later."),
}
_BECAME = {200: "answered", wire.STATUS[RefusedStatement]: "refused"}
_NOT_YOURS = "A read token may only read; name the store's path on the collector's own machine to do this."


class Telling(Protocol):
    """What a collector says about itself."""

    statements: Tally
    """Free SQL by what became of it; counted on the event loop."""

    def page(self) -> bytes:
        """The page of metrics."""
        ...

    def status(self) -> dict[str, Any]:
        """The facts of `tracegrade status`."""
        ...


class ReadEndpoint:
    """Serves `store` to whom `guard` lets pass. `changed` is called after an append to the tables of tokens.

    `telling` is for GET /metrics and /status; without it there are none.
    """

    def __init__(
        self,
        store: LocalStore,
        guard: Guard,
        changed: Callable[[], None] = lambda: None,
        telling: Telling | None = None,
    ) -> None:
        self._telling = telling
        self._store = store
        self._guard = guard
        self._changed = changed
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="tracegrade-read")
        self._server = HttpServer(self._handle, admit=self._admit)
        self._calls: dict[str, Callable[[dict[str, Any]], Response]] = {
            "/query": self._query,
            "/sql": self._sql,
            "/settle": self._settle,
            "/rebuild": self._rebuild,
            "/append": self._append,
            "/maintain": self._maintain,
        }

    async def start(self, port: int = 0, host: str = HOST, tls: Certificates | None = None) -> str:
        """Listen (0: a free port), with TLS where there are certificates; returns the URL. Raises OSError."""
        bound = await self._server.start(host, port, tls)
        return f"{'http' if tls is None else 'https'}://{f'[{host}]' if ':' in host else host}:{bound}"

    async def stop(self, grace: float = 5.0) -> None:
        """Take no more requests, and finish those that run."""
        await self._server.stop(grace)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _admit(self, request: Head) -> Response | None:
        verdict = self._guard.judge(request.headers.get(wire.AUTHORIZATION, ""), request.peer)
        if verdict is not None:
            status, message = _REFUSALS[verdict]
            return _problem(status, "Unauthorized", message)
        if request.path not in _READS and not self._owns(request):
            return _problem(403, "ReadOnly", _NOT_YOURS)
        return None

    def _owns(self, request: Head) -> bool:
        return self._guard.shows(request.headers.get(wire.AUTHORIZATION, ""), "owner")

    async def _handle(self, request: Request) -> Response:
        if request.method == "GET":
            return await self._told(request.path)
        response = await self._answer(request)
        if self._telling is not None and request.path == "/sql":
            self._telling.statements.add(_BECAME.get(response.status, "failed"))
        return response

    async def _told(self, path: str) -> Response:
        """What is asked with GET is about the collector."""
        if path == "/healthz":
            return Response(200, b"{}", _JSON)
        if self._telling is None or path not in ("/metrics", "/status"):
            return _problem(404, "StoreError", f"There is no GET {path} here.")
        run = asyncio.get_running_loop().run_in_executor
        if path == "/metrics":
            return Response(200, await run(self._threads, self._telling.page), CONTENT_TYPE)
        return Response(200, orjson.dumps(await run(self._threads, self._telling.status)), _JSON)

    async def _answer(self, request: Request) -> Response:
        call = self._calls.get(request.path)
        if call is None or request.method != "POST":
            return _problem(404, "StoreError", f"There is no {request.method} {request.path} here.")
        try:
            question = _question(request)
            if request.path == "/query" and question["name"] in table.OWNERS and not self._owns(request):
                return _problem(403, "ReadOnly", _NOT_YOURS)
            if request.path == "/sql":
                call = partial(self._sql, who=self._guard.who(request.headers.get(wire.AUTHORIZATION, "")))
            return await asyncio.get_running_loop().run_in_executor(self._threads, call, question)
        except StoreError as error:
            return _problem(wire.STATUS.get(type(error), 500), type(error).__name__, str(error))
        except (ValueError, KeyError, TypeError, pa.ArrowException):
            return _problem(400, "StoreError", "The request is not what this endpoint understands.")
        except Exception as error:  # noqa: BLE001 -- the answer must say something
            _log.error("A read failed: %s", type(error).__name__)
            return _problem(500, "StoreError", "The read failed; see the collector's log.")

    def _query(self, question: dict[str, Any]) -> Response:
        return Response(200, wire.to_bytes(self._store.query(question["name"], **question["params"])), wire.ARROW)

    def _sql(self, question: dict[str, Any], who: str = OWNER) -> Response:
        form = question.get("form") or "arrow"
        rows, seconds = question.get("max_rows"), question.get("seconds")
        found = self._store.select(
            question["text"],
            form=form,
            max_rows=None if rows is None else int(rows),
            seconds=None if seconds is None else min(float(seconds), LONGEST),
            max_age=float(question.get("max_age") or 0),
            who=who,
        )
        return Response(200, b"", wire.TYPES[form], wire.headers_of(found), found)

    def _settle(self, question: dict[str, Any]) -> Response:
        return Response(200, orjson.dumps(self._store.settle(question["ids"])), _JSON)

    def _rebuild(self, question: dict[str, Any]) -> Response:
        self._store.rebuild(question["traces"])
        return Response(200, b"", _JSON)

    def _append(self, question: dict[str, Any]) -> Response:
        tables = wire.tables_from_json(question["tables"])
        self._store.append(tables, question["batch_id"])
        if table.touches(tables):
            self._changed()
        return Response(200, b"", _JSON)

    def _maintain(self, question: dict[str, Any]) -> Response:
        return Response(200, orjson.dumps(self._store.maintain(question)), _JSON)


def _question(request: Request) -> dict[str, Any]:
    """What is asked: JSON, or on `/sql` (not as JSON) the statement itself, with its limits in the address.

    Raises ValueError, or one of its kind.
    """
    if request.path != "/sql":
        return orjson.loads(request.body)
    given = dict(parse_qsl(request.query, strict_parsing=bool(request.query)))
    if request.headers.get("content-type", _JSON).partition(";")[0].strip() == _JSON:
        question = orjson.loads(request.body)
    else:
        question = {"text": request.body.decode()}
    accepted = [part.partition(";")[0].strip() for part in request.headers.get("accept", "").split(",")]
    wanted = next((form for form, kind in wire.TYPES.items() if kind in accepted), None)
    return {"form": given.pop("format", wanted)} | given | question


def _problem(status: int, kind: str, message: str) -> Response:
    return Response(status, orjson.dumps({"error": kind, "message": message}), _JSON)
