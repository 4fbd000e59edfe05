"""What comes of a call, over the real SDK and real sockets: a verdict, or an error and never a pass."""

import json
import socket
from dataclasses import replace

import pytest

from grader.asking import Question
from grader.judge import client as module
from grader.judge.client import SET_A_KEY, Client
from grader.judge.prompting import question, verdict
from tests.grader.judge.api import Api, Said

ASKED = question("criterion", verdict(met={"type": "boolean"}), {"criterion": "c", "request": "q", "reply": "r"}, "m")
LEVEL = replace(ASKED, schema=json.dumps(verdict(level={"type": "integer", "enum": [1, 2, 3]})))
MET = '{"reasoning": "because", "met": true}'


def ask(asked: Question = ASKED, retries: int = 2, seconds: float = 20.0) -> module.Reply:
    with Client(retries=retries, seconds=seconds) as client:
        return client.ask(asked)


def test_a_verdict_with_what_it_took(api: Api) -> None:
    """The request is constrained to the verdict's schema; tokens are those that the server counted."""
    api.says = lambda _asked, _n: Said(MET, tokens=(120, 30))
    reply = ask()
    assert (reply.verdict, reply.error) == ({"reasoning": "because", "met": True}, "")
    assert (reply.input_tokens, reply.output_tokens) == (120, 30)
    assert reply.seconds > 0
    (sent,) = api.requests
    assert sent["model"] == "m"
    assert sent["max_tokens"] == 1024
    assert sent["output_config"]["format"] == {"type": "json_schema", "schema": json.loads(ASKED.schema)}
    assert sent["messages"] == [{"role": "user", "content": ASKED.prompt}]
    assert api.keys[0] in ("test-key", "Bearer test-key")  # by the version of the SDK


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_what_passes_is_asked_again(api: Api, status: int) -> None:
    """As long as the server says."""
    api.says = lambda _asked, n: Said(status=status, headers={"Retry-After": "0"}) if n == 1 else Said(MET)
    assert ask().verdict is not None
    assert len(api.requests) == 2


@pytest.mark.parametrize("status", [429, 500, 529])
def test_what_does_not_pass_is_an_outage(api: Api, status: int) -> None:
    """Nobody's verdict, and not this question's fault."""
    api.says = lambda _asked, _n: Said(status=status, headers={"Retry-After": "0"})
    reply = ask(retries=1)
    assert (reply.verdict, reply.outage, reply.stops) == (None, True, False)
    assert f"HTTP {status}" in reply.error
    assert len(api.requests) == 2


@pytest.mark.parametrize(("status", "told"), [(401, "key was refused"), (403, "HTTP 403"), (404, "HTTP 404")])
def test_what_no_repetition_mends_stops_all(api: Api, status: int, told: str) -> None:
    """A wrong key, a model that is not there."""
    api.says = lambda _asked, _n: Said(status=status)
    reply = ask()
    assert (reply.verdict, reply.stops, told in reply.error) == (None, True, True)
    assert len(api.requests) == 1


def test_a_question_that_is_refused_as_such_stops_nobody_else(api: Api) -> None:
    """HTTP 400 is about this request: too long, say."""
    api.says = lambda _asked, _n: Said(status=400)
    reply = ask()
    assert (reply.verdict, reply.stops, reply.outage, reply.error) == (
        None,
        False,
        False,
        "the judge's server said HTTP 400",
    )


def test_a_server_that_does_not_answer_in_time(api: Api) -> None:
    """A time-out is an outage."""
    api.says = lambda _asked, _n: Said(MET, seconds=2)
    reply = ask(retries=0, seconds=0.2)
    assert (reply.verdict, reply.outage) == (None, True)
    assert "did not answer within 0.2 s" in reply.error


def test_a_dead_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens there."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    reply = ask(retries=0)
    assert (reply.verdict, reply.outage, reply.error) == (None, True, "the judge cannot be reached")


def test_no_key(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to set, and nobody is called."""
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("HOME", "/nonexistent")
    reply = ask()
    assert (reply.verdict, reply.error, reply.stops) == (None, SET_A_KEY, True)
    assert api.requests == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (Said('{"reasoning": "bec', stop="max_tokens"), "cut off after 1024 tokens; raise max_tokens"),
        (Said(MET, stop="max_tokens"), "cut off"),
        (Said("", stop="refusal"), "refused to answer"),
        (Said("The reply is fine. PASS"), "not JSON"),
        (Said(""), "not JSON"),
        (Said('{"met": true}'), "no verdict of the form"),
        (Said('{"reasoning": "r", "met": "true"}'), "no verdict of the form"),
        (Said('{"reasoning": "r", "met": true, "passed": true}'), "no verdict of the form"),
        (Said("[true]"), "no verdict of the form"),
        (Said('{"reasoning": "r", "met": NaN}'), "not JSON"),
    ],
)
def test_what_is_no_verdict_is_an_error_that_was_paid_for(api: Api, said: Said, told: str) -> None:
    """Cut off, refused, prose, another form: never a pass (S2-28)."""
    api.says = lambda _asked, _n: said
    reply = ask()
    assert reply.verdict is None
    assert told in reply.error
    assert (reply.input_tokens, reply.output_tokens, reply.stops, reply.outage) == (100, 20, False, False)


@pytest.mark.parametrize("level", [0, 4, -1, 2.5, "2", None, True])
def test_a_level_out_of_range_is_an_error(api: Api, level: object) -> None:
    """On a scale from 1 to 3."""
    api.says = lambda _asked, _n: Said(json.dumps({"reasoning": "r", "level": level}))
    assert "no verdict of the form" in ask(LEVEL).error


def test_an_answer_that_is_no_message(api: Api) -> None:
    """Whatever stands in the place of the server answers with a page."""
    api.says = lambda _asked, _n: Said(raw=b"<html>hello</html>", headers={"Content-Type": "text/html"})
    reply = ask()
    assert reply.verdict is None
    assert reply.error
