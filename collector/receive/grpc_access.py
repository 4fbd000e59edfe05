"""The OTLP/gRPC door: tokens in the metadata, and TLS that follows its files (G-09, X-03).

grpcio reads the message of a unary handler before it calls it, but that of a streaming one when it is asked for. So a call that
may not pass gets a streaming handler, which ends it without its message being read; on the wire both are alike.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc

from collector.access.guard import Guard
from collector.access.quota import SOON, Portion
from collector.receive.access import over_quota, refusal
from collector.receive.reply import Answer
from collector.web.tls import Certificates, Loaded

Context = grpc.aio.ServicerContext
Abort = Callable[[Answer, Context], Awaitable[None]]


class GuardedMethods(grpc.GenericRpcHandler):
    """Methods behind a guard. `abort` ends a call with an answer."""

    def __init__(self, methods: grpc.GenericRpcHandler, guard: Guard, abort: Abort) -> None:
        self._methods, self._guard, self._abort = methods, guard, abort

    def service(self, handler_call_details: Any) -> Any:
        """The method's handler, or one that refuses; None for a method that is not here."""
        method = self._methods.service(handler_call_details)
        if method is None:
            return None
        shown = [value for key, value in handler_call_details.invocation_metadata or () if key == "authorization"]
        authorization = shown[0] if len(shown) == 1 and isinstance(shown[0], str) else ""
        verdict = self._guard.look(authorization)
        if verdict is not None:
            return self._refusing(lambda peer: refusal(self._guard.failed(verdict, peer)))
        portion = self._guard.portion(authorization)
        if portion is None:
            return method
        seconds = portion.wait()
        return self._refusing(lambda _peer: over_quota(seconds)) if seconds else self._counting(method, portion)

    def _refusing(self, answer: Callable[[str], Answer]) -> Any:
        async def refuse(_requests: AsyncIterator[bytes], context: Context) -> bytes:
            await self._abort(answer(peer_address(context.peer())), context)
            return b""

        return grpc.stream_unary_rpc_method_handler(refuse)

    def _counting(self, method: Any, portion: Portion) -> Any:
        """The method, with its bytes taken of a bearer's quota (X-06): how many they are is known when they are there."""

        async def counted(body: bytes, context: Context) -> bytes:
            if not portion.take(len(body)):
                await self._abort(over_quota(SOON), context)
            try:
                return await method.unary_unary(body, context)
            finally:
                portion.give(len(body))

        return grpc.unary_unary_rpc_method_handler(counted)


def peer_address(peer: str) -> str:
    """The address in what gRPC calls a peer: `ipv4:10.0.0.7:51234`, `ipv6:%5B::1%5D:51234`."""
    kind, _, rest = peer.partition(":")
    if kind not in ("ipv4", "ipv6"):
        return ""
    return rest.rpartition(":")[0].removeprefix("%5B").removesuffix("%5D").strip("[]")


def credentials(certificates: Certificates) -> grpc.ServerCredentials:
    """Credentials for a port; each handshake uses what the files hold then."""
    used = certificates.current()

    def changed() -> grpc.ServerCertificateConfiguration | None:
        nonlocal used
        found = certificates.current()
        if found is used:
            return None
        used = found
        return _configuration(found)

    asks = used.client_ca is not None
    return grpc.dynamic_ssl_server_credentials(_configuration(used), changed, require_client_authentication=asks)


def _configuration(loaded: Loaded) -> grpc.ServerCertificateConfiguration:
    return grpc.ssl_server_certificate_configuration([(loaded.key, loaded.chain)], loaded.client_ca)
