"""The OTLP/HTTP door: what is looked at before anything else of a request, and what web pages are allowed (H-17, X-05)."""

from collections.abc import Iterable
from dataclasses import replace

from collector.access.addresses import is_own_name
from collector.access.guard import Guard, Verdict
from collector.receive import reply
from collector.receive.admission import PortionedBudget
from collector.receive.http import OtlpHttp
from collector.receive.reply import Answer
from collector.web.server import Budget, Fault, Head, Request, Response

_HEALTH = frozenset({"/healthz", "/readyz"})
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": "Content-Type, Content-Encoding, Authorization",
    "Access-Control-Max-Age": "7200",
}


def refusal(verdict: Verdict) -> Answer:
    """The answer to a credential that was not good. It tells nothing about tokens that there are (X-05)."""
    if verdict == "limited":
        return reply.retry(reply.LIMITED, "too many requests without a valid token; send again later", 2.0)
    if verdict == "forbidden":
        return Answer(reply.FORBIDDEN, "this token may not do that: it is of another scope")
    return Answer(
        reply.UNAUTHENTICATED,
        "a valid token is needed in the header `authorization: Bearer TOKEN` (OTEL_EXPORTER_OTLP_HEADERS)",
        headers={"WWW-Authenticate": "Bearer"},
    )


def over_quota(seconds: float) -> Answer:
    """The answer to a bearer that sends more than it may (X-06)."""
    return reply.retry(reply.LIMITED, "this token sends more than it may; send again later", seconds)


class HttpDoor:
    """Stands before `OtlpHttp` and answers, with its own part of `HttpServer`, what may not pass.

    `origins` are the web pages that may send (CORS). `own_names` refuses a Host of the internet while no token guards the port:
    a page from elsewhere may have given its own name the address of this machine.
    """

    def __init__(self, otlp: OtlpHttp, guard: Guard, *, origins: Iterable[str] = (), own_names: bool = False) -> None:
        self._otlp, self._guard = otlp, guard
        self._origins, self._own_names = frozenset(origins), own_names

    def admit(self, head: Head) -> Response | None:
        """What can be said before the body: first of all whether this request may be here."""
        if _open(head) or self._preflight(head):
            return None
        answer = self.objection(head)
        early = self._otlp.admit(head) if answer is None else self._otlp.word(head, answer)
        if early is None and (answer := self._over_quota(head)):
            early = self._otlp.word(head, answer)
        return early and self._dressed(head, early)

    def share(self, head: Head) -> Budget:
        """What the body of an admitted request is taken from."""
        portion = self._guard.portion(head.headers.get("authorization", ""))
        return self._otlp.budget if portion is None else PortionedBudget(self._otlp.budget, portion)

    def refuse(self, head: Head | None, fault: Fault) -> Response:
        """An answer of the server itself."""
        response = self._otlp.refuse(head, fault)
        return self._dressed(head, response) if head else response

    async def handle(self, request: Request) -> Response:
        """One request that was admitted."""
        if self._preflight(request):
            return self._dressed(request, Response(204, headers=_PREFLIGHT))
        return self._dressed(request, await self._otlp.handle(request))

    def objection(self, head: Head) -> Answer | None:
        """What keeps this request out, by its Host and its token, whatever it asks for."""
        if self._own_names and not self._guard.asks and not is_own_name(head.headers.get("host", "")):
            return Answer(
                reply.FORBIDDEN,
                "the Host header names another machine; send to localhost, or guard the port with a token",
            )
        verdict = self._guard.judge(head.headers.get("authorization", ""), head.peer)
        return verdict and refusal(verdict)

    def _over_quota(self, head: Head) -> Answer | None:
        """Whether the bearer must wait, by what it announces. Without a length it is counted as it comes."""
        portion = self._guard.portion(head.headers.get("authorization", ""))
        size = head.headers.get("content-length", "")
        seconds = 0.0 if portion is None else portion.wait(int(size) if size.isdecimal() else 0)
        return over_quota(seconds) if seconds else None

    def _preflight(self, head: Head) -> bool:
        """A browser asks whether a page may send (CORS)."""
        asks = head.method == "OPTIONS" and "access-control-request-method" in head.headers
        return asks and head.headers.get("origin") in self._origins and not _has_body(head)

    def _dressed(self, head: Head, response: Response) -> Response:
        """The answer with what lets a page that may send read it."""
        origin = head.headers.get("origin", "")
        if origin not in self._origins:
            return response
        allowed = {
            "Access-Control-Allow-Origin": origin,
            "Vary": "Origin",
            "Access-Control-Expose-Headers": "Retry-After",
        }
        return replace(response, headers={**response.headers, **allowed})


def _open(head: Head) -> bool:
    """Health is told to anybody, to whom it tells nothing else (H-19)."""
    return head.path in _HEALTH and not _has_body(head)


def _has_body(head: Head) -> bool:
    """Whether bytes follow: they are read for those alone who may send some."""
    return head.headers.get("content-length", "0") != "0" or "transfer-encoding" in head.headers
