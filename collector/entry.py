"""Who may come in at which door of a running collector, from its settings and its store's tokens (X-01).

Exporters have OTLP/gRPC and OTLP/HTTP; local commands have two doors on loopback, to read and to load, which take the secret in
the store's note; and readers on other machines have one where `read_host` says so.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from collector import amounts
from collector.access.addresses import on_loopback
from collector.access.book import Book
from collector.access.failures import Failures
from collector.access.guard import Guard, Need
from collector.access.quota import Quota
from collector.access.token_file import TokenFile
from collector.access.tokens import Scope, Token, new_secret
from collector.config import Settings, words
from collector.errors import UserError
from collector.web.tls import Certificates


@dataclass(frozen=True)
class Entry:
    """The guards, and what proves the server to its clients."""

    book: Book
    failures: Failures
    owner: str
    """The secret of this run, for commands of the store's owner."""
    ingest: Guard
    local: Guard
    """Local commands that load files."""
    reads: Guard
    """Readers on this machine: the owner's commands, and read tokens."""
    remote_reads: Guard
    certificates: Certificates | None
    """For exporters; with `tls_client_ca` they must show one of their own."""
    read_certificates: Certificates | None
    """For readers on other machines, of whom a token is asked and no certificate."""
    origins: frozenset[str]
    near: bool
    """Whether OTLP is taken from this machine alone."""
    reads_near: bool
    """Whether there is no door for readers on other machines."""


def entry(settings: Settings, stored: Callable[[], Iterable[Token]], *, store: str = "") -> Entry:
    """All guards. Raises UserError with everything that is wrong, among it an open port without any credential."""
    problems: list[str] = []
    files = _files(settings, problems)
    owner = new_secret("owner")
    quota = Quota(
        amounts.size(settings.token_bytes_per_second or "0"), amounts.size(settings.token_in_flight_bytes or "0")
    )
    book, failures = Book(stored, files, owner, quota=quota), Failures()
    near, reads_near = on_loopback(settings.host), on_loopback(settings.read_host)
    certificates, read_certificates = _certificates(settings, problems, reads=not reads_near)
    problems += _missing(settings, book, store, near=near, reads_near=reads_near)
    if problems:
        raise UserError("\n".join(problems))
    need: Need = "while live" if settings.insecure else "once made" if near or settings.tls_client_ca else "always"
    guard = partial(Guard, book, failures=failures)
    return Entry(
        book=book,
        failures=failures,
        owner=owner,
        ingest=guard({"ingest"}, need, what="Exports"),
        local=guard({"owner"}, "always", what="Loads"),
        reads=guard({"read", "owner"}, "always", what="Reads"),
        remote_reads=guard({"read"}, "always", what="Reads"),
        certificates=certificates,
        read_certificates=read_certificates,
        origins=frozenset(words(settings.cors_origins)),
        near=near,
        reads_near=reads_near,
    )


def _files(settings: Settings, problems: list[str]) -> list[TokenFile]:
    found: list[TokenFile] = []
    wanted: tuple[tuple[Scope, str], ...] = (
        ("ingest", settings.ingest_token_file),
        ("read", settings.read_token_file),
    )
    for scope, path in wanted:
        if path:
            try:
                found.append(TokenFile(path, scope))
            except UserError as problem:
                problems.append(str(problem))
    return found


def _certificates(
    settings: Settings, problems: list[str], *, reads: bool
) -> tuple[Certificates | None, Certificates | None]:
    cert, key, client_ca = settings.tls_cert, settings.tls_key, settings.tls_client_ca
    if bool(cert) != bool(key):
        has, lacks = ("tls_cert", "tls_key") if cert else ("tls_key", "tls_cert")
        problems.append(f"TLS needs both a certificate and its key: {has} is set, {lacks} is not.")
    elif client_ca and not cert:
        problems.append("Certificates of exporters (tls_client_ca) need TLS: set tls_cert and tls_key, too.")
    elif cert:
        try:
            ingest = Certificates(cert, key, client_ca)
            return ingest, Certificates(cert, key) if reads else None
        except UserError as problem:
            problems.append(str(problem))
    return None, None


def _missing(settings: Settings, book: Book, store: str, *, near: bool, reads_near: bool) -> list[str]:
    """Doors that others reach and that nothing would guard."""
    found, of = [], f" --store {store}" if store else ""
    if not (near or settings.insecure or settings.tls_client_ca or book.has("ingest")):
        found.append(
            f"Other machines reach {settings.host}, and no ingest token is in force: anybody could write to the store. Make a "
            f"token with `tracegrade token create --scope ingest{of}`, name a file of tokens (--ingest-token-file), or ask "
            "exporters for certificates (--tls-client-ca). --insecure takes spans from anybody."
        )
    if not reads_near and not book.has("read"):
        found.append(
            f"Other machines reach {settings.read_host} (read_host), and no read token is in force: make one with "
            f"`tracegrade token create --scope read{of}`, or name a file of tokens (--read-token-file)."
        )
    return found
