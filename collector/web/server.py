"""A small HTTP/1.1 server with limits, for OTLP/HTTP and for the read endpoint (H-14, H-16).

The usual servers lack what an open port needs: a limit on the time and rate of a body, on its size before it is read,
and on memory over all connections.
"""

import asyncio
import contextlib

from collector.web.connection import Connection, Site
from collector.web.messages import (
    Admit,
    Budget,
    Fault,
    Handler,
    Head,
    Limits,
    Refuse,
    Request,
    Response,
    Share,
    refuse_plainly,
)
from collector.web.tls import Certificates

__all__ = ["Budget", "Fault", "Handler", "Head", "HttpServer", "Limits", "Request", "Response"]

_EVERY = 0.25
"""Seconds between looks at the clock; limits of time are kept to this precision."""


class HttpServer:
    """Serves `handler` until `stop`.

    `admit` sees a request's head and may answer before its body is read. `refuse` words the answers that the server
    gives by itself. `budget` bounds the bytes of all bodies in memory; where there is `share`, it says for each request that
    was admitted what these are taken from.
    """

    def __init__(
        self,
        handler: Handler,
        limits: Limits | None = None,
        admit: Admit | None = None,
        *,
        refuse: Refuse = refuse_plainly,
        budget: Budget | None = None,
        share: Share | None = None,
    ) -> None:
        self._site = Site(
            handler=handler,
            limits=limits or Limits(),
            admit=admit,
            refuse=refuse,
            budget=budget,
            connections=set(),
            share=share,
        )
        self._server: asyncio.Server | None = None
        self._clock: asyncio.Task[None] | None = None

    async def start(self, host: str, port: int, tls: Certificates | None = None) -> int:
        """Listen, with TLS where there are certificates; returns the bound port (0 picks a free one). Raises OSError."""
        loop, limits = asyncio.get_running_loop(), self._site.limits
        self._server = await loop.create_server(
            lambda: Connection(self._site),
            host,
            port,
            backlog=limits.connections,
            ssl=None if tls is None else tls.serving(),
            ssl_handshake_timeout=None if tls is None else limits.header_seconds,
        )
        self._clock = loop.create_task(self._watch())
        return self._server.sockets[0].getsockname()[1]

    async def stop(self, grace: float = 5) -> None:
        """Accept no more, answer what is being answered within `grace` seconds, then close."""
        self._site.stopping = True
        if self._server is not None:
            self._server.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(grace):
                while busy := [connection for connection in self._site.connections if connection.busy()]:
                    await asyncio.sleep(0.01)
                    await asyncio.gather(*(connection.finish() for connection in busy))
        for connection in list(self._site.connections):
            connection.abort()
        if self._clock is not None:
            self._clock.cancel()

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_EVERY)
            for connection in list(self._site.connections):
                connection.check(loop.time())
