"""The secret that a request shows, from its `authorization` header or metadata (X-02)."""

import base64
import binascii
from urllib.parse import unquote


def secret(authorization: str) -> str | None:
    """The token of `Bearer TOKEN`, or the password of `Basic …`; None where there is neither.

    Some SDKs send what stands in OTEL_EXPORTER_OTLP_HEADERS without decoding it: `Bearer%20TOKEN` is taken, too.
    """
    text = authorization.strip()
    if " " not in text and "%" in text:
        text = unquote(text)
    scheme, _, rest = text.partition(" ")
    rest = rest.strip()
    if scheme.lower() == "bearer":
        return rest or None
    if scheme.lower() == "basic":
        return _password(rest)
    return None


def _password(encoded: str) -> str | None:
    try:
        pair = base64.b64decode(encoded, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None
    return pair.partition(":")[2] or None
