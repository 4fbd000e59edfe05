"""A port that is listened on, and the clock that looks after its connections."""

import asyncio
from collections.abc import Callable
from typing import Any

from collector.web.crowd import Crowd
from collector.web.tls import Certificates, Protocol

_EVERY = 0.25
"""Seconds between looks at the clock; limits of time are kept to this precision."""

_BUFFER = 256 << 10
"""Bytes that are read at once."""


class Port:
    """Belongs to one server, whose connections are the crowd's."""

    def __init__(self, crowd: Crowd[Any]) -> None:
        self._crowd = crowd
        self.buffer = memoryview(bytearray(_BUFFER))
        """What all connections read into: what was read is looked at before anybody reads again. asyncio's other kind of
        protocol makes a new object of that size for each read, which takes 3 ms a request of 700 KB on two busy cores."""
        self._server: asyncio.Server | None = None
        self._clock: asyncio.Task[None] | None = None

    async def open(
        self,
        made: Callable[[], asyncio.BaseProtocol],
        host: str,
        port: int,
        tls: Certificates | None,
        protocol: Protocol,
    ) -> int:
        """Listen, with TLS where there are certificates; returns the bound port (0 picks a free one). Raises OSError."""
        loop, limits = asyncio.get_running_loop(), self._crowd.limits
        self._server = await loop.create_server(
            made,
            host,
            port,
            backlog=limits.connections,
            ssl=None if tls is None else tls.serving(protocol),
            ssl_handshake_timeout=None if tls is None else limits.header_seconds,
        )
        self._clock = loop.create_task(self._watch())
        return self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        """Accept no more connections."""
        if self._server is not None:
            self._server.close()

    def end(self) -> None:
        """Nobody is left to look after."""
        if self._clock is not None:
            self._clock.cancel()

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_EVERY)
            for connection in list(self._crowd.connections):
                connection.check(loop.time())
