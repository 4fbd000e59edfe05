"""Which addresses this machine alone reaches, and which names a page from elsewhere cannot have given it (X-01, H-17)."""

import ipaddress
import socket
from functools import lru_cache

_HARMLESS = ("localhost", "internal", "local")
"""Last labels of names that nobody can register: `localhost`, Docker's `host.docker.internal`, a printer's `.local`."""


def on_loopback(host: str) -> bool:
    """Whether only this machine reaches what listens there. A name counts by its addresses; one without any does not."""
    try:
        found = {entry[4][0] for entry in socket.getaddrinfo(host or None, None, type=socket.SOCK_STREAM)}
    except (OSError, UnicodeError):
        return False
    return bool(host) and bool(found) and all(_loopback(str(address)) for address in found)


@lru_cache(1_000)  # a client sends the same one each time, and to read it took 3 % of the time under Python's lock
def is_own_name(header: str) -> bool:
    """Whether a Host header can be one of this machine: an IP address, or a name that is no name of the internet.

    A page from elsewhere whose name was made to point to 127.0.0.1 (DNS rebinding) sends its own name here. Clients that are
    no browsers may leave the header out.
    """
    name = _without_port(header.strip()).rstrip(".").lower()
    if not name:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        labels = name.split(".")
        return len(labels) == 1 or labels[-1] in _HARMLESS
    return True


def _without_port(header: str) -> str:
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.rpartition(":")[0] if header.count(":") == 1 else header


def _loopback(address: str) -> bool:
    found = ipaddress.ip_address(address.partition("%")[0])
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return (mapped or found).is_loopback
