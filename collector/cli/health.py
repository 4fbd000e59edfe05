"""Whether a collector takes data, asked as a health check asks: often, so with nothing heavy imported where that can be."""

import http.client
from urllib.parse import urlsplit

from collector.answer import notice

SECONDS = 4.0
"""A health check's own limit is 5 s or so."""


def takes_data(place: str) -> bool:
    """Whether the collector that serves this store says it is ready; of a URL, that of OTLP/HTTP or of a read endpoint."""
    if place.startswith(("http://", "https://")):
        return _ready(place) or _ready_to_readers(place)
    note = notice.find(place)
    return note is not None and bool(note.otlp) and _ready(note.otlp)


def _ready(url: str) -> bool:
    try:
        parts = urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=SECONDS)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == http.client.OK
        finally:
            connection.close()
    except (OSError, ValueError, http.client.HTTPException):
        return False


def _ready_to_readers(url: str) -> bool:
    """What the read endpoint says, to who has a token for it."""
    from collector.answer.remote import RemoteStore
    from collector.store.errors import StoreError

    try:
        return bool(RemoteStore(url, timeout=SECONDS).status()["ready"])
    except (StoreError, ValueError):
        return False
