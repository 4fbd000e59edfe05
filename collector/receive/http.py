"""OTLP/HTTP: routes, content types and encodings; what is wrong with a head is answered before its body is read."""

import math
from copy import copy
from typing import get_args

from collector.receive import reply
from collector.receive.admission import PortionedBudget
from collector.receive.encoding import names
from collector.receive.export import Exporter
from collector.receive.readiness import Readiness
from collector.receive.reply import Answer, Form, Signal
from collector.web.server import Fault, Head, Request, Response

_TYPES: dict[Form, str] = {"protobuf": "application/x-protobuf", "json": "application/json"}
_FORMS = {name: form for form, name in _TYPES.items()}
_SIGNALS: dict[str, Signal] = {f"/v1/{signal}": signal for signal in get_args(Signal)}
_FAULTS: dict[Fault, Answer] = {
    "malformed": Answer(reply.MALFORMED, "the request is not HTTP/1.1, or can be read in two ways"),
    "head_too_large": Answer(reply.HEAD_TOO_LARGE, "the request's head is too large"),
    "too_large": Answer(reply.TOO_LARGE, "the body is too large; send fewer rows in a request"),
}


class OtlpHttp:
    """Handler, admission and wording for `HttpServer`. `readiness` says whether data is taken (H-19)."""

    def __init__(self, exporter: Exporter, readiness: Readiness) -> None:
        self._exporter = exporter
        self._readiness = readiness
        self.budget = exporter.budget
        """What bodies are taken from."""
        self._signals = {path: signal for path, signal in _SIGNALS.items() if signal in exporter.signals}

    def admit(self, head: Head) -> Response | None:
        """What can be said before the body: route, method, types, room."""
        if head.path in {"/healthz", "/readyz"}:
            return None
        answer = self._objection(head)
        return None if answer is None else self.word(head, answer)

    def word(self, head: Head, answer: Answer) -> Response:
        """An answer that is given before the body is read."""
        return respond(answer, "traces", _form(head))

    def refuse(self, head: Head | None, fault: Fault) -> Response:
        """An answer of the server itself, as OTLP words it (H-05)."""
        answer = _FAULTS.get(fault) or reply.retry(
            reply.BUSY if fault == "busy" else reply.UNAVAILABLE, "the collector is busy; send again later"
        )
        return respond(answer, "traces", _form(head) if head else None)

    async def handle(self, request: Request) -> Response:
        """One request that was admitted."""
        if request.path == "/healthz":
            return Response(200, b"ok\n")
        if request.path == "/readyz":
            trouble = self._readiness.trouble()
            return Response(200, b"ready\n") if trouble is None else Response(503, f"not ready: {trouble}\n".encode())
        signal, form = self._signals[request.path.rstrip("/")], _form(request)
        if form is None:
            return self.refuse(request, "malformed")
        gzipped = bool(names(request.headers.get("content-encoding", "")))
        exporter = self._exporter
        if isinstance(request.budget, PortionedBudget):
            exporter = copy(exporter)
            exporter.budget = request.budget  # what is inflated is taken of it, too
        return respond(await exporter.export(signal, form, request.body, gzipped=gzipped), signal, form)

    def _objection(self, head: Head) -> Answer | None:
        signal = self._signals.get(head.path.rstrip("/"))
        if signal is None:
            return Answer(reply.NOT_FOUND, _hint(head.path))
        if head.method != "POST":
            return Answer(reply.WRONG_METHOD, "OTLP is sent with POST", headers={"Allow": "POST"})
        if _form(head) is None:
            return Answer(reply.UNSUPPORTED, f"Content-Type must be {' or '.join(_TYPES.values())}")
        if names(head.headers.get("content-encoding", "")) not in ([], ["gzip"]):
            return Answer(
                reply.UNSUPPORTED, "Content-Encoding must be gzip or absent", headers={"Accept-Encoding": "gzip"}
            )
        size = head.headers.get("content-length", "")
        if not size.isdecimal() or int(size) > self._exporter.largest:
            return None  # counted as it comes, or refused for its size
        late = signal != "metrics" and self._exporter.pace.late(int(size))
        if late or not self._exporter.budget.fits(int(size)):
            return reply.retry(reply.BUSY, "the collector is busy; send again later")
        return None


def respond(answer: Answer, signal: Signal, form: Form | None) -> Response:
    """The answer on HTTP, in the request's encoding; JSON where that is unknown (H-03, H-05)."""
    headers = dict(answer.headers)
    if answer.outcome.retryable:
        headers["Retry-After"] = str(math.ceil(answer.retry_after))
    if answer.outcome is reply.ACCEPTED:
        body = reply.success_body(answer, signal, form or "json")
    else:
        body = reply.status(answer).SerializeToString() if form == "protobuf" else reply.status_json(answer)
    return Response(answer.outcome.http, body, _TYPES[form or "json"], headers)


def _form(head: Head) -> Form | None:
    """By Content-Type, whatever its case and parameters (H-02)."""
    return _FORMS.get(head.headers.get("content-type", "").partition(";")[0].strip().lower())


def _hint(path: str) -> str:
    if path.rstrip("/") in _SIGNALS:
        return "metrics are refused here; turn their exporter off (OTEL_METRICS_EXPORTER=none)"
    if path.count("/v1/") > 1:
        return "no such path: the endpoint's setting already ends with /v1/…, and the exporter adds it again"
    if "profiles" in path:
        return "profiles are not supported"
    return "no such path; OTLP belongs to /v1/traces, /v1/logs and /v1/metrics"
