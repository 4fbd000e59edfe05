"""The first bytes of a connection: HTTP/2's preface, or somebody who speaks something else (RFC 9113, 3.4; G-13)."""

import re
from typing import Literal

from collector.web.http2.frames import PREFACE

Kind = Literal["more", "http2", "http1", "noise"]

_LINE = re.compile(rb"[A-Z]{1,16} [^ ]+ HTTP/1\.[01]\r?\n")
_LINE_BEGINS = re.compile(rb"[A-Z]{1,16}(?: [^ \r\n]*(?: [HTP/1.0]*\r?)?)?")
_LONGEST = 8 << 10
"""Bytes of a line that is waited for."""


def kind(data: bytes) -> Kind:
    """What these first bytes are; `more`: too few to say."""
    if data.startswith(PREFACE):
        return "http2"
    if PREFACE.startswith(data):
        return "more"
    if _LINE.match(data):
        return "http1"
    return "more" if len(data) <= _LONGEST and _LINE_BEGINS.fullmatch(data) else "noise"


def http1_answer(text: str) -> bytes:
    """The answer in HTTP/1.1 to a client that speaks it here."""
    body = text.encode()
    head = f"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"Connection: close\r\n\r\n" + body
