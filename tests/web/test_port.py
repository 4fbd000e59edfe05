"""A port, and its clock."""

import asyncio

import pytest

from collector.web.crowd import Crowd
from collector.web.messages import Limits
from collector.web.port import Port


class Guest(asyncio.Protocol):
    """A connection that is looked after."""

    def __init__(self, crowd: "Crowd[Guest]", checked: asyncio.Event) -> None:
        self._crowd, self._checked = crowd, checked

    def connection_made(self, transport: asyncio.BaseTransport) -> None:  # noqa: ARG002 -- asyncio names it
        """It is there."""
        self._crowd.enter(self, "x")

    def check(self, now: float) -> None:  # noqa: ARG002 -- the crowd names it
        """The clock came by."""
        self._checked.set()


def test_connections_are_looked_after() -> None:
    """The clock comes by while the port is open; afterwards nobody can connect, and a port in use cannot be taken."""

    async def talk() -> None:
        crowd, checked = Crowd[Guest](limits=Limits()), asyncio.Event()
        port = Port(crowd)
        number = await port.open(lambda: Guest(crowd, checked), "127.0.0.1", 0, None, "h2")
        with pytest.raises(OSError, match="in use"):
            await Port(crowd).open(lambda: Guest(crowd, checked), "127.0.0.1", number, None, "h2")
        _, writer = await asyncio.open_connection("127.0.0.1", number)
        await asyncio.wait_for(checked.wait(), 10)
        port.close()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", number)
        port.end()
        writer.close()

    asyncio.run(talk())
