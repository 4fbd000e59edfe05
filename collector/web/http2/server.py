"""A small HTTP/2 server with limits, for OTLP/gRPC (RFC 9113, G-10).

The usual ones cost more than a call does: grpc.aio took 370 to 500 µs of the processor for one, and libraries that keep the
rules of HTTP/2 in Python 50 to 100 µs a frame.
"""

import asyncio
import contextlib

from collector.web.http2.calls import Service
from collector.web.http2.connection import Connection
from collector.web.http2.site import Bounds, Site
from collector.web.messages import Limits
from collector.web.port import Port
from collector.web.tls import Certificates

__all__ = ["Bounds", "Http2Server"]


class Http2Server:
    """Serves `service` until `stop`. `elsewhere` is what a client is told that speaks HTTP/1.1 here."""

    def __init__(
        self, service: Service, limits: Limits | None = None, bounds: Bounds | None = None, *, elsewhere: str = ""
    ) -> None:
        self._site = Site(limits=limits or Limits(), service=service, bounds=bounds or Bounds())
        if elsewhere:
            self._site.elsewhere = elsewhere
        self._port = Port(self._site)

    async def start(self, host: str, port: int, tls: Certificates | None = None) -> int:
        """Listen, with TLS where there are certificates; returns the bound port (0 picks a free one). Raises OSError."""
        return await self._port.open(lambda: Connection(self._site, self._port.buffer), host, port, tls, "h2")

    async def stop(self, grace: float = 5) -> None:
        """Accept no more connections, tell the peers to go, answer what they asked within `grace` seconds, then close."""
        self._site.stopping = True
        self._port.close()
        for connection in list(self._site.connections):
            connection.say_goodbye()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(grace):
                while any(connection.waits() for connection in self._site.connections):
                    await asyncio.sleep(0.01)
                    for connection in list(self._site.connections):
                        connection.close_if_done()
        for connection in list(self._site.connections):
            connection.abort()
        self._port.end()
