"""What a call costs: one dated table (`prices.toml`), which a suite may override. An unknown price is None, never 0."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from grader.asking import Question

_MILLION = 1_000_000
_DATED = re.compile(r"-\d{8}$")
_BYTES_A_TOKEN = 2
"""Texts of all kinds have more bytes a token than that (prose about four), so that the estimate is an upper bound."""
_AROUND = 400
"""Tokens that the API adds to a prompt with a schema, at most."""


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million tokens of input and output."""

    input: float
    output: float
    limit: int | None = None
    above: "Price | None" = None

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """Dollars."""
        if self.above is not None and self.limit is not None and input_tokens > self.limit:
            return self.above.cost(input_tokens, output_tokens)
        return (input_tokens * self.input + output_tokens * self.output) / _MILLION


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices by model; a name with a date is that of its model where it has no price of its own."""

    own: Mapping[str, Price] = field(default_factory=dict)

    def of(self, model: str) -> Price | None:
        """None: not known."""
        table = _table()
        for name in (model, _DATED.sub("", model)):
            found = self.own.get(name) or table.get(name)
            if found is not None:
                return found
        return None

    def cost(
        self, model: str, input_tokens: int | None, output_tokens: int | None, *, batch: bool = False
    ) -> float | None:
        """Dollars, None where the price or the tokens are not known."""
        price = self.of(model)
        if price is None or input_tokens is None or output_tokens is None:
            return None
        return price.cost(input_tokens, output_tokens) * (batch_factor() if batch else 1.0)

    def at_most(self, question: Question, *, batch: bool = False) -> float | None:
        """What the call can cost, before it is made."""
        return self.cost(question.model, tokens_at_most(question), question.max_tokens, batch=batch)


def tokens_at_most(question: Question) -> int:
    """An upper bound of a question's input tokens, without asking anybody."""
    size = sum(
        len(text.encode("utf-8", "surrogatepass")) for text in (question.system, question.prompt, question.schema)
    )
    return -(-size // _BYTES_A_TOKEN) + _AROUND


def price(raw: Any) -> Price:
    """A price as it is written in a suite: `{ input, output }`, dollars per million tokens.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(raw, dict) or not {"input", "output"} <= raw.keys():
        raise ValueError("a price is { input, output }, dollars per million tokens")
    for key in ("input", "output"):
        if isinstance(raw[key], bool) or not isinstance(raw[key], int | float) or raw[key] < 0:
            raise ValueError(f"{key} must be a number, 0 or more")
    above = raw.get("above")
    return Price(float(raw["input"]), float(raw["output"]), raw.get("limit"), None if above is None else price(above))


@cache
def _document() -> dict[str, Any]:
    return tomllib.loads(files("grader.judge").joinpath("prices.toml").read_text(encoding="utf-8"))


@cache
def _table() -> dict[str, Price]:
    return {name: price(raw) for name, raw in _document()["models"].items()}


def batch_factor() -> float:
    """What a call in a batch costs of a single one."""
    return float(_document()["batch_factor"])
