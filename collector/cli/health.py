"""Whether a collector takes data, asked as a health check asks: often, so with nothing heavy imported."""

import http.client
from urllib.parse import urlsplit

from collector.answer import notice

SECONDS = 4.0
"""A health check's own limit is 5 s or so."""


def takes_data(place: str) -> bool:
    """Whether the collector that serves this store says it is ready; of a URL, whether its OTLP/HTTP port does."""
    url = place
    if not place.startswith(("http://", "https://")):
        note = notice.find(place)
        if note is None or not note.otlp:
            return False
        url = note.otlp
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    try:
        connection = kind(parts.hostname or "", parts.port, timeout=SECONDS)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == http.client.OK
        finally:
            connection.close()
    except (OSError, ValueError, http.client.HTTPException):
        return False
