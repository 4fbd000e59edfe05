"""Which doors there are, who guards them, and which are not opened."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from collector.access.tokens import Scope, Token, digest
from collector.config import Settings
from collector.entry import Entry, entry
from collector.errors import UserError
from tests.certificates import Authority


def made(*scopes: Scope) -> Callable[[], list[Token]]:
    """A store's tokens, with the scope as secret."""
    return lambda: [Token(scope, scope, digest(scope), 0) for scope in scopes]


def opened(*scopes: Scope, **settings: Any) -> Entry:
    """The doors with these settings and tokens."""
    return entry(Settings(**settings), made(*scopes), store="s.duckdb")


def test_on_loopback_nothing_is_needed_until_there_is_a_token():
    """A fresh collector takes spans from this machine; with a token it takes them with the token alone."""
    assert opened().ingest.look("") is None
    assert opened("ingest").ingest.look("") == "unauthenticated"
    assert opened("ingest").ingest.look("Bearer ingest") is None
    assert opened("read").ingest.look("") is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.1.2.3"])
def test_an_open_port_needs_a_credential(host: str):
    """An address that others reach is not opened without tokens, client certificates or --insecure (X-01)."""
    with pytest.raises(UserError) as caught:
        opened("read", host=host)
    said = str(caught.value)
    assert "tracegrade token create --scope ingest --store s.duckdb" in said
    assert all(option in said for option in ("--ingest-token-file", "--tls-client-ca", "--insecure"))
    assert opened("ingest", host=host).ingest.look("") == "unauthenticated"


def test_insecure_opens_it_while_there_is_no_token():
    """--insecure takes spans from anybody, and a live token is asked for even so."""
    assert opened(host="0.0.0.0", insecure=True).ingest.look("") is None
    assert opened("ingest", host="0.0.0.0", insecure=True).ingest.look("") == "unauthenticated"


def test_client_certificates_are_a_credential(tmp_path: Path):
    """Where exporters show certificates no token is needed, unless there is one."""
    authority = Authority(tmp_path)
    pair = authority.issue("server")
    tls = {"tls_cert": str(pair.cert), "tls_key": str(pair.key), "tls_client_ca": str(authority.cert)}
    doors = opened(host="0.0.0.0", **tls)
    assert doors.ingest.look("") is None
    assert doors.certificates is not None
    assert doors.certificates.asks
    assert opened("ingest", host="0.0.0.0", **tls).ingest.look("") == "unauthenticated"


def test_tokens_may_come_from_files(tmp_path: Path):
    """A file of tokens guards a door as those of the store do."""
    path = tmp_path / "tokens"
    path.write_text("x" * 32)
    doors = opened(host="0.0.0.0", ingest_token_file=str(path))
    assert doors.ingest.look("Bearer " + "x" * 32) is None
    assert doors.remote_reads.look("Bearer " + "x" * 32) == "forbidden"


def test_readers_elsewhere_need_a_read_token():
    """The read endpoint is opened to other machines with a read token only; --insecure changes nothing about that."""
    with pytest.raises(UserError, match=r"0\.0\.0\.0 \(read_host\), and no read token"):
        opened("ingest", read_host="0.0.0.0", insecure=True)
    doors = opened("ingest", "read", read_host="0.0.0.0")
    assert not doors.reads_near
    assert doors.remote_reads.look("Bearer read") is None
    assert doors.remote_reads.look("Bearer ingest") == "forbidden"
    assert doors.remote_reads.look(f"Bearer {doors.owner}") == "forbidden"
    assert doors.reads.look(f"Bearer {doors.owner}") is None


def test_all_mistakes_are_told_at_once(tmp_path: Path):
    """Files of no use, half a TLS setting and open doors are told together."""
    with pytest.raises(UserError) as caught:
        opened(
            host="0.0.0.0",
            read_host="0.0.0.0",
            tls_cert="a.pem",
            ingest_token_file=str(tmp_path / "a"),
            read_token_file="/",
        )
    assert len(str(caught.value).splitlines()) == 5


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"tls_cert": "a"}, "tls_cert is set, tls_key is not"),
        ({"tls_key": "a"}, "tls_key is set, tls_cert is not"),
        ({"tls_client_ca": "a"}, "need TLS"),
    ],
)
def test_half_a_tls_setting_is_told(settings: dict[str, str], said: str):
    """A certificate without a key, the reverse, and client certificates without TLS."""
    with pytest.raises(UserError, match=said):
        opened(**settings)


def test_readers_are_asked_for_no_certificate(tmp_path: Path):
    """The door for readers elsewhere has the server's certificate, and a token is what they show."""
    authority = Authority(tmp_path)
    pair = authority.issue("server")
    tls = {"tls_cert": str(pair.cert), "tls_key": str(pair.key), "tls_client_ca": str(authority.cert)}
    doors = opened("read", read_host="0.0.0.0", **tls)
    assert doors.read_certificates is not None
    assert not doors.read_certificates.asks


def test_limits_of_the_settings_count_for_tokens_without_their_own():
    """What the settings say an exporter may send is asked of each ingest token (X-06)."""
    assert opened("ingest").ingest.portion("Bearer ingest") is None
    limited = opened("ingest", "read", token_in_flight_bytes="10KB").ingest
    first, second = limited.portion("Bearer ingest"), limited.portion("Bearer ingest")
    assert first is not None
    assert second is not None
    assert first.take(10_000)
    assert not second.take(1)
    assert limited.portion("Bearer read") is None
    assert limited.portion("") is None
