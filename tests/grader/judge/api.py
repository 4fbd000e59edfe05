"""A small server that speaks the Messages API and the Message Batches API, for the real SDK over real sockets."""

import json
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Request = dict[str, Any]


@dataclass
class Said:
    """An answer of the server. `text`: what the model says; `status` other than 200 is an error."""

    text: str = ""
    status: int = 200
    stop: str = "end_turn"
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    raw: bytes | None = None
    tokens: tuple[int, int] = (100, 20)

    def body(self, asked: Request) -> bytes:
        """As the API words it."""
        if self.raw is not None:
            return self.raw
        if self.status != 200:
            error = {"type": "api_error", "message": "as the test wants it"}
            return json.dumps({"type": "error", "error": error}).encode()
        return json.dumps(self.message(asked)).encode()

    def message(self, asked: Request) -> Request:
        """A message."""
        return {
            "id": "msg_1", "type": "message", "role": "assistant", "model": asked.get("model"), "stop_reason": self.stop,
            "stop_sequence": None, "content": [{"type": "text", "text": self.text}] if self.text else [],
            "usage": {"input_tokens": self.tokens[0], "output_tokens": self.tokens[1]},
        }  # fmt: skip


def verdict_for(asked: Request) -> Said:
    """A verdict of whatever form is asked for: met, the highest level, the first reply."""
    properties = asked["output_config"]["format"]["schema"]["properties"]
    found: dict[str, Any] = {"reasoning": "because"}
    if "met" in properties:
        found["met"] = True
    if "level" in properties:
        found["level"] = max(properties["level"]["enum"])
    if "better" in properties:
        found["better"] = "first"
    return Said(json.dumps(found))


@dataclass
class Api:
    """What the server was asked, and how it answers: `says` gets a request's body and its number, from 1."""

    says: Callable[[Request, int], Said] = lambda asked, _number: verdict_for(asked)
    requests: list[Request] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    batches: dict[str, list[Request]] = field(default_factory=dict)
    polls_until_ended: int = 1
    polls: int = 0
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)
    flying: int = 0
    most_flying: int = 0


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def api(self) -> Api:
        """What the test asked for."""
        return self.server.api  # ty: ignore[missing-attribute]

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Says nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/v1/messages":
            self._message(body)
        elif self.path == "/v1/messages/batches":
            self._batch(body)
        else:
            self._send(404, b"{}")

    def do_GET(self) -> None:
        parts = self.path.split("/")
        if self.path.endswith("/results"):
            self._results(self.api.batches[parts[-2]])
        elif parts[-1] in self.api.batches:
            self.api.polls += 1
            self._send(200, json.dumps(self._state(parts[-1])).encode())
        else:
            self._send(404, json.dumps({"type": "error", "error": {"type": "not_found_error", "message": ""}}).encode())

    def _message(self, body: Request) -> None:
        with self.api.lock:
            self.api.requests.append(body)
            self.api.keys.append(self.headers.get("X-Api-Key") or self.headers.get("Authorization"))
            number = len(self.api.requests)
            self.api.flying += 1
            self.api.most_flying = max(self.api.most_flying, self.api.flying)
        said = self.api.says(body, number)
        time.sleep(said.seconds)
        with self.api.lock:
            self.api.flying -= 1
        self._send(said.status, said.body(body), said.headers)

    def _batch(self, body: Request) -> None:
        with self.api.lock:
            name = f"msgbatch_{len(self.api.batches) + 1}"
            self.api.batches[name] = body["requests"]
        self._send(200, json.dumps(self._state(name)).encode())

    def _state(self, name: str) -> Request:
        ended = self.api.polls >= self.api.polls_until_ended
        number = len(self.api.batches[name])
        return {
            "id": name, "type": "message_batch", "processing_status": "ended" if ended else "in_progress",
            "request_counts": {
                "processing": 0 if ended else number, "succeeded": number if ended else 0, "errored": 0,
                "canceled": 0, "expired": 0,
            },
            "created_at": "2026-01-01T00:00:00Z", "expires_at": "2026-01-02T00:00:00Z", "ended_at": None,
            "archived_at": None, "cancel_initiated_at": None,
            "results_url": f"{self.api.url}/v1/messages/batches/{name}/results" if ended else None,
        }  # fmt: skip

    def _results(self, requests: list[Request]) -> None:
        lines = []
        for number, request in enumerate(requests, 1):
            said = self.api.says(request["params"], number)
            message = {"type": "succeeded", "message": said.message(request["params"])}
            error = {"type": "error", "error": {"type": "api_error", "message": "no"}}
            result = message if said.status == 200 else {"type": "errored", "error": error}
            lines.append(json.dumps({"custom_id": request["custom_id"], "result": result}))
        self._send(200, "\n".join(reversed(lines)).encode(), {"Content-Type": "application/x-jsonl"})

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in ({"Content-Type": "application/json"} | (headers or {})).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    api: Api

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that gives up is what some tests are about."""


@contextmanager
def serving() -> Generator[Api]:
    """A server on a free port of this machine."""
    api = Api()
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.api = api
        api.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield api
        finally:
            server.shutdown()
            thread.join()
