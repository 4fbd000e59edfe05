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
from collector.web.port import Port
from collector.web.tls import Certificates

__all__ = ["Budget", "Fault", "Handler", "Head", "HttpServer", "Limits", "Request", "Response"]


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
            share=share,
        )
        self._port = Port(self._site)

    async def start(self, host: str, port: int, tls: Certificates | None = None) -> int:
        """Listen, with TLS where there are certificates; returns the bound port (0 picks a free one). Raises OSError."""
        return await self._port.open(lambda: Connection(self._site, self._port.buffer), host, port, tls, "http/1.1")

    async def stop(self, grace: float = 5) -> None:
        """Accept no more, answer what is being answered within `grace` seconds, then close."""
        self._site.stopping = True
        self._port.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(grace):
                while busy := [connection for connection in self._site.connections if connection.busy()]:
                    await asyncio.sleep(0.01)
                    await asyncio.gather(*(connection.finish() for connection in busy))
        for connection in list(self._site.connections):
            connection.abort()
        self._port.end()
