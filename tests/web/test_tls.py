"""TLS from files, on a real socket."""

import asyncio
import http.client
import ssl
import warnings
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from collector.errors import UserError
from collector.web.server import HttpServer, Request, Response
from collector.web.tls import Certificates
from tests.certificates import Authority, Pair
from tests.receive.collecting import elsewhere


async def greet(_request: Request) -> Response:
    """The handler."""
    return Response(200, b"hello")


@asynccontextmanager
async def serving(certificates: Certificates) -> AsyncGenerator[int]:
    """A server with TLS; its port."""
    server = HttpServer(greet)
    try:
        yield await server.start("127.0.0.1", 0, certificates)
    finally:
        await server.stop(1)


def ask(port: int, authority: Path, client: Pair | None = None, highest: ssl.TLSVersion | None = None) -> bytes:
    """One request; raises OSError where the handshake fails."""
    context = ssl.create_default_context(cafile=str(authority))
    if client is not None:
        context.load_cert_chain(client.cert, client.key)
    if highest is not None:
        context.set_ciphers("DEFAULT@SECLEVEL=0")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python warns of the old versions that are tried here
            context.minimum_version = ssl.TLSVersion.TLSv1
            context.maximum_version = highest
    connection = http.client.HTTPSConnection("localhost", port, timeout=10, context=context)
    try:
        connection.request("POST", "/", b"x" * 1_000_000)
        return connection.getresponse().read()
    finally:
        connection.close()


def test_old_versions_are_refused(tmp_path: Path):
    """TLS 1.2 and 1.3 are spoken, 1.1 and 1.0 are not (X-03)."""
    authority = Authority(tmp_path)
    pair = authority.issue("server")
    with elsewhere(serving(Certificates(str(pair.cert), str(pair.key)))) as port:
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            assert ask(port, authority.cert, highest=version) == b"hello"
        for version in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
            with pytest.raises(OSError, match=r"(?i)version|protocol|alert|reset"):
                ask(port, authority.cert, highest=version)


def test_a_new_certificate_is_used_without_a_restart(tmp_path: Path):
    """After the files changed, by another authority even, the next handshake shows the new one; nonsense changes nothing."""
    old, new = Authority(tmp_path, "old"), Authority(tmp_path, "new")
    pair = old.issue("server")
    with elsewhere(serving(Certificates(str(pair.cert), str(pair.key)))) as port:
        assert ask(port, old.cert) == b"hello"
        new.issue("server")
        assert ask(port, new.cert) == b"hello"
        with pytest.raises(ssl.SSLCertVerificationError):
            ask(port, old.cert)
        pair.key.write_text("nonsense")
        assert ask(port, new.cert) == b"hello"


def test_clients_show_a_certificate_where_it_is_asked_for(tmp_path: Path):
    """With a client authority a certificate of it is needed, and a new authority replaces the old one at once."""
    authority, other = Authority(tmp_path), Authority(tmp_path, "other")
    pair, client, stranger = authority.issue("server"), authority.issue("client"), other.issue("stranger")
    asked = tmp_path / "asked.pem"
    asked.write_bytes(authority.cert.read_bytes())
    with elsewhere(serving(Certificates(str(pair.cert), str(pair.key), str(asked)))) as port:
        assert ask(port, authority.cert, client) == b"hello"
        for nobody in (None, stranger):
            with pytest.raises(OSError, match=r"(?i)alert|reset|EOF|broken|closed"):
                ask(port, authority.cert, nobody)
        asked.write_bytes(other.cert.read_bytes())
        assert ask(port, authority.cert, stranger) == b"hello"
        with pytest.raises(OSError, match=r"(?i)alert|reset|EOF|broken|closed"):
            ask(port, authority.cert, client)


def test_plain_bytes_do_no_harm(tmp_path: Path):
    """A client without TLS is disconnected, and the next with TLS is served (G-13)."""
    authority = Authority(tmp_path)
    pair = authority.issue("server")

    async def plain(port: int) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        try:
            return await reader.read()
        except ConnectionResetError:
            return b""
        finally:
            writer.close()

    with elsewhere(serving(Certificates(str(pair.cert), str(pair.key)))) as port:
        assert b"hello" not in asyncio.run(plain(port))
        assert ask(port, authority.cert) == b"hello"


def test_files_of_no_use_are_told(tmp_path: Path):
    """A missing file, another certificate's key, a key with a password and an empty authority are told with their settings."""
    authority = Authority(tmp_path)
    one, two = authority.issue("one"), authority.issue("two")
    empty = tmp_path / "empty.pem"
    empty.write_text("")
    for paths, said in (
        ((str(one.cert), str(tmp_path / "none")), r"none \(tls_key\) cannot be read: no such file"),
        ((str(one.cert), str(two.key)), "cannot be used together"),
        ((str(one.key), str(one.key)), "cannot be used together"),
        ((str(one.cert), str(one.key), str(empty)), "holds no certificates"),
    ):
        with pytest.raises(UserError, match=said):
            Certificates(*paths)


def test_X_33_files_that_others_could_change_are_refused(tmp_path: Path):
    """Each of them is told with its setting and what to do, all at once; to be readable is no fault of a certificate."""
    authority = Authority(tmp_path)
    pair = authority.issue("server")
    for path in (pair.key, authority.cert):
        path.chmod(0o666)
    with pytest.raises(UserError) as caught:
        Certificates(str(pair.cert), str(pair.key), str(authority.cert))
    said = str(caught.value)
    assert f"{pair.key} (tls_key) can be changed by other users of this machine: chmod go-w {pair.key}" in said
    assert f"{authority.cert} (tls_client_ca) can be changed" in said
    assert "tls_cert" not in said


def test_a_key_with_a_password_asks_nobody(tmp_path: Path):
    """No prompt stops the start: a locked key is refused."""
    from cryptography.hazmat.primitives import serialization

    pair = Authority(tmp_path).issue("server")
    key = serialization.load_pem_private_key(pair.key.read_bytes(), None)
    locked = serialization.BestAvailableEncryption(b"secret")
    pair.key.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, locked)
    )
    with pytest.raises(UserError, match="without a password"):
        Certificates(str(pair.cert), str(pair.key))
