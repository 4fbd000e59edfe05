"""The one place that calls a model: the Messages API through the `anthropic` SDK, a verdict constrained to its JSON Schema.

The SDK repeats what may be repeated (429, 5xx, overloaded, time-outs, lost connections), waiting as the server says. Whatever
comes back that is no verdict is an error and never a pass (S2-28).
"""

import time
from dataclasses import dataclass
from functools import lru_cache
from types import TracebackType
from typing import Any, Self

import orjson

from grader.asking import Question

RETRIES = 4
SECONDS = 120.0
"""For one call, each repetition counted anew."""

SET_A_KEY = "no key: set ANTHROPIC_API_KEY"
_TRUNCATED = "the verdict was cut off after {} tokens; raise max_tokens"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a call came to. `stops`: the next one would fare no better (no key, no such model), so none is made.

    `outage`: it was not this question's fault. Tokens are None where the server did not say.
    """

    verdict: dict[str, Any] | None = None
    error: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float = 0.0
    stops: bool = False
    outage: bool = False


class Client:
    """Asks one question at a time; may be used from several threads. Its connections end with the `with` block."""

    def __init__(self, retries: int = RETRIES, seconds: float = SECONDS) -> None:
        import anthropic  # noqa: PLC0415 -- half a second, for those who ask

        self._errors = anthropic
        self._seconds = seconds
        self._api: Any = anthropic.Anthropic(max_retries=retries, timeout=seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._api.close()

    def ask(self, question: Question) -> Reply:
        """Never raises for what a server or a model does."""
        begin = time.monotonic()
        try:
            message = self._api.messages.create(**parameters(question))
        except Exception as error:  # noqa: BLE001  whatever the SDK raises is a verdict that did not come
            return self._failed(error, time.monotonic() - begin)
        return read(question, message, time.monotonic() - begin)

    @property
    def batches(self) -> Any:
        """The SDK's own resource."""
        return self._api.messages.batches

    def _failed(self, error: Exception, seconds: float) -> Reply:
        known = self._errors
        if isinstance(error, known.APITimeoutError):
            return Reply(error=f"the judge did not answer within {self._seconds:g} s", seconds=seconds, outage=True)
        if isinstance(error, known.APIConnectionError):
            return Reply(error="the judge cannot be reached", seconds=seconds, outage=True)
        if isinstance(error, known.AuthenticationError):
            return Reply(error="the key was refused: check ANTHROPIC_API_KEY", seconds=seconds, stops=True)
        if isinstance(error, known.PermissionDeniedError | known.NotFoundError):
            what = f"the judge's server refused the model or the key (HTTP {error.status_code})"
            return Reply(error=what, seconds=seconds, stops=True)
        if isinstance(error, known.APIStatusError):
            outage = error.status_code >= _SERVER_ERROR or error.status_code == _TOO_MANY
            return Reply(error=f"the judge's server said HTTP {error.status_code}", seconds=seconds, outage=outage)
        if "authentication" in str(error).lower() or "api_key" in str(error).lower():
            return Reply(error=SET_A_KEY, seconds=seconds, stops=True)
        return Reply(error=f"the judge's answer could not be read ({type(error).__name__})", seconds=seconds)


_SERVER_ERROR, _TOO_MANY = 500, 429


def parameters(question: Question) -> dict[str, Any]:
    """The call's parameters, for a single one and in a batch alike. Little effort: verdicts are short, and thinking counts."""
    return {
        "model": question.model,
        "max_tokens": question.max_tokens,
        "system": question.system,
        "messages": [{"role": "user", "content": question.prompt}],
        "output_config": {
            "effort": "low",
            "format": {"type": "json_schema", "schema": orjson.loads(question.schema)},
        },
    }


def read(question: Question, message: Any, seconds: float) -> Reply:
    """A message of the API as a verdict, or why it is none. What was paid for is counted either way."""
    usage = getattr(message, "usage", None)
    counted: dict[str, Any] = {
        "input_tokens": _tokens(usage, "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"),
        "output_tokens": _tokens(usage, "output_tokens"),
        "seconds": seconds,
    }
    stopped = getattr(message, "stop_reason", None)
    if stopped == "refusal":
        return Reply(error="the judge refused to answer", **counted)
    if stopped == "max_tokens":
        return Reply(error=_TRUNCATED.format(question.max_tokens), **counted)
    text = "".join(b.text for b in getattr(message, "content", None) or () if getattr(b, "type", "") == "text")
    try:
        verdict = orjson.loads(text)
    except orjson.JSONDecodeError:
        return Reply(error="the judge's answer is not JSON", **counted)
    if not _validator(question.schema).is_valid(verdict):
        return Reply(error="the judge's answer is no verdict of the form that was asked for", **counted)
    return Reply(verdict=verdict, **counted)


def _tokens(usage: Any, *names: str) -> int | None:
    counts = [getattr(usage, name, None) for name in names]
    known = [c for c in counts if isinstance(c, int)]
    return sum(known) if known else None


@lru_cache(64)
def _validator(schema: str) -> Any:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 -- as in grader/conforming.py

    return Draft202012Validator(orjson.loads(schema))
