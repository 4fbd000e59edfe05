"""TLS from files: TLS 1.2 or newer, certificates of clients where they are asked for, read again when a file changes (X-03)."""

import logging
import ssl
import threading
from pathlib import Path
from typing import Literal, get_args

from collector.errors import UserError
from collector.file_stamp import stamp
from collector.private_files import distrust

_log = logging.getLogger(__name__)


Protocol = Literal["http/1.1", "h2"]
"""What a port speaks, as ALPN names it: clients of gRPC do not talk to a server that does not choose h2."""

Contexts = dict[Protocol, ssl.SSLContext]
"""What the files held at one time, proven to fit together: a context for each protocol."""


class Certificates:
    """The certificate of a server, its key, and (where clients must show one) the certificates that sign theirs.

    Raises UserError for files that are of no use, or that others could change (X-33). Later on such a change is logged, and
    what was read before is kept: files that belong together are seldom replaced in one moment.
    """

    def __init__(self, cert: str, key: str, client_ca: str = "") -> None:
        self._paths = [cert, key, client_ca] if client_ca else [cert, key]
        self._lock = threading.Lock()
        self._stamps = [stamp(path) for path in self._paths]
        self._loaded = _load(*self._paths)

    @property
    def asks(self) -> bool:
        """Whether clients must show a certificate."""
        return len(self._paths) > 2  # noqa: PLR2004 -- the third file is that of the clients' authorities

    def current(self) -> Contexts:
        """What the files hold now. May be called from any thread."""
        with self._lock:
            stamps = [stamp(path) for path in self._paths]
            if stamps != self._stamps:
                self._stamps = stamps
                try:
                    self._loaded = _load(*self._paths)
                    _log.info("The certificate was read again.")
                except UserError as problem:
                    _log.error("%s What was read before stays in force.", problem)
            return self._loaded

    def serving(self, protocol: Protocol) -> ssl.SSLContext:
        """A context for a server that speaks this protocol: each handshake uses what the files hold then."""
        context = _load(*self._paths)[protocol]

        def choose(connection: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
            connection.context = self.current()[protocol]  # from which ALPN is chosen afterwards

        context.sni_callback = choose  # also called for clients that name no server
        return context


def _load(cert: str, key: str, client_ca: str = "") -> Contexts:
    for setting, path in (("tls_cert", cert), ("tls_key", key)):
        _text(setting, path)
    asked = _text("tls_client_ca", client_ca) if client_ca else None
    files = {"tls_cert": cert, "tls_key": key, "tls_client_ca": client_ca}
    if wrong := [f"{file} ({name}) {why}" for name, file in files.items() if file and (why := distrust(Path(file)))]:
        raise UserError("\n".join(wrong))
    contexts: Contexts = {}
    for protocol in get_args(Protocol):
        contexts[protocol] = context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols([protocol])
        try:
            context.load_cert_chain(cert, key, password=lambda: b"")  # never ask a person at the terminal
        except (OSError, ValueError):  # ssl.SSLError is an OSError
            raise UserError(
                f"The certificate {cert} (tls_cert) and the key {key} (tls_key) cannot be used together: both must be PEM, the "
                "key without a password and that of the certificate."
            ) from None
        if asked is not None:
            try:
                context.load_verify_locations(cadata=asked.decode("ascii"))
            except (OSError, ValueError):
                raise UserError(f"{client_ca} (tls_client_ca) holds no certificates in PEM.") from None
            context.verify_mode = ssl.CERT_REQUIRED
    return contexts


def _text(setting: str, path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as problem:
        raise UserError(
            f"{path} ({setting}) cannot be read: {(problem.strerror or 'no reason given').lower()}."
        ) from None
