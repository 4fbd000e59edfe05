"""The head of a request: what a header list must be like (RFC 9113, 8.2 and 8.3)."""

import re

from collector.web.http2.blocks import Pairs
from collector.web.messages import Head

HEAD_BYTES = 16 << 10
"""Bytes of a header list, as HTTP/2 counts them: what is announced (G-10). A longer one is answered, and no more."""

_ENTRY = 32
"""What each header counts beside its name and value (RFC 9113, 6.5.2)."""

_NAME = re.compile(rb":?[!#$%&'*+\-.^_`|~0-9a-z]+", re.DOTALL)
_VALUE = re.compile(rb"(?:[^\0\r\n \t](?:[^\0\r\n]*[^\0\r\n \t])?)?", re.DOTALL)
_PSEUDO = {b":method": "method", b":scheme": "scheme", b":path": "path", b":authority": "authority"}
_NEEDED = {b":method", b":scheme", b":path"}
_FORBIDDEN = {b"connection", b"proxy-connection", b"keep-alive", b"transfer-encoding", b"upgrade"}


class Malformed(ValueError):  # noqa: N818 -- an outcome, named as one
    """A header list that is none; its stream ends with PROTOCOL_ERROR (RFC 9113, 8.1.1). The text holds nothing of it."""


def size(pairs: Pairs) -> int:
    """Bytes of a list, as HTTP/2 counts them."""
    return sum([len(name) + len(value) + _ENTRY for name, value in pairs])


def request_head(pairs: Pairs, peer: str) -> Head:
    """The head of a request. Raises Malformed."""
    pseudo: dict[bytes, str] = {}
    headers: dict[str, str] = {}
    for name, value in pairs:
        _check(name, value)
        text = value.decode("latin-1")
        if name[0] == 0x3A:  # noqa: PLR2004 -- a colon
            if name not in _PSEUDO or name in pseudo or headers:
                raise Malformed("a pseudo-header that is unknown, there twice, or behind others")
            pseudo[name] = text
            continue
        key = name.decode("ascii")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    path = pseudo.get(b":path", "")
    if not pseudo.keys() >= _NEEDED or not path:
        raise Malformed("a request has a method, a scheme and a path")
    if b":authority" in pseudo:
        headers.setdefault("host", pseudo[b":authority"])
    plain, _, query = path.partition("?")
    return Head(method=pseudo[b":method"], target=path, path=plain, query=query, headers=headers, peer=peer)


def check_trailers(pairs: Pairs) -> None:
    """What follows a body. Raises Malformed (RFC 9113, 8.1)."""
    for name, value in pairs:
        _check(name, value)
        if name.startswith(b":"):
            raise Malformed("a pseudo-header behind the body")


def _check(name: bytes, value: bytes) -> None:
    if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
        raise Malformed("a header that HTTP/2 does not know")
    if name in _FORBIDDEN or (name == b"te" and value != b"trailers"):
        raise Malformed("a header of the connection")
