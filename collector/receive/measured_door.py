"""The OTLP/HTTP door with a counter at it, and the page of metrics behind it.

The page is behind the same guard as exports: where these need a token, so does the page (one of scope `ingest`; readers have
an endpoint of their own). Where they need none, it is told to this machine alone.
"""

import asyncio
from collections.abc import Callable
from typing import get_args

from collector.access.addresses import on_loopback
from collector.access.guard import Guard
from collector.measure.page import CONTENT_TYPE
from collector.measure.tally import Tally
from collector.receive import reply
from collector.receive.access import HttpDoor
from collector.receive.http import respond
from collector.receive.reply import Answer, Signal
from collector.web.server import Budget, Fault, Head, Request, Response

PATH = "/metrics"
_SIGNALS = {f"/v1/{signal}": signal for signal in get_args(Signal)}
_UNCOUNTED = frozenset({PATH, "/healthz", "/readyz"})


class MeasuredDoor:
    """Stands before `HttpDoor`. `answers` counts by signal and status; several doors may share it."""

    def __init__(self, door: HttpDoor, guard: Guard, page: Callable[[], bytes], answers: Tally) -> None:
        self._door, self._guard, self._page, self._answers = door, guard, page, answers

    def admit(self, head: Head) -> Response | None:
        """What can be said before the body."""
        if head.path == PATH:
            return self._refused(head)
        early = self._door.admit(head)
        return early and self._counted(head, early)

    def share(self, head: Head) -> Budget:
        """What the body of an admitted request is taken from."""
        return self._door.share(head)

    def refuse(self, head: Head | None, fault: Fault) -> Response:
        """An answer of the server itself."""
        return self._counted(head, self._door.refuse(head, fault))

    async def handle(self, request: Request) -> Response:
        """One request that was admitted."""
        if request.path == PATH:
            return Response(200, await asyncio.to_thread(self._page), CONTENT_TYPE)
        return self._counted(request, await self._door.handle(request))

    def _refused(self, head: Head) -> Response | None:
        answer = self._door.objection(head)
        if answer is None and not self._guard.asks and not on_loopback(head.peer):
            answer = Answer(reply.FORBIDDEN, "metrics are told on this machine, and elsewhere where tokens are in use")
        if answer is None and head.method != "GET":
            answer = Answer(reply.WRONG_METHOD, "metrics are read with GET", headers={"Allow": "GET"})
        return None if answer is None else respond(answer, "traces", None)

    def _counted(self, head: Head | None, response: Response) -> Response:
        path = head.path.rstrip("/") if head else ""
        if path not in _UNCOUNTED and not (head and head.method == "OPTIONS"):
            self._answers.add(_SIGNALS.get(path, "none"), str(int(response.status)))
        return response
