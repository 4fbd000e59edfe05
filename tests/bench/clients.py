"""Clients that send prepared bodies over real sockets and count what was acknowledged. A refusal is sent again."""

from collections.abc import Sequence

from tests.bench import grpc_client, http_client
from tests.bench.acknowledged import Address

PROTOCOLS = {"http": http_client.deliver, "grpc": grpc_client.deliver}


def deliver(protocol: str, address: Address, bodies: Sequence[bytes], connections: int) -> tuple[float, int]:
    """Send all bodies over this many connections at once: the seconds until the last answer, and the refusals."""
    return PROTOCOLS[protocol](address, bodies, connections)
