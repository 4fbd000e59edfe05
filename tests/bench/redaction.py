"""What redaction costs a span: `python -m tests.bench.redaction`. Times of the processor, best of seven."""

import json
import random
import time

from collector.decode import traces_json
from collector.redact.rows import Redactor
from collector.redact.rules import Rule, Rules, rules

SPANS = 512
WORDS = ["the", "customer", "asked", "for", "a", "refund", "of", "order", "A-1234", "on", "her", "card", "please"]
EMAIL = r"[\w.+-]+@[\w-]+\.[a-z]+"


def _text(dice: random.Random, words: int) -> str:
    return " ".join(dice.choice(WORDS) for _ in range(words))


def _pairs(attributes: dict[str, str]) -> list[dict[str, object]]:
    return [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]


def _span(dice: random.Random, number: int) -> dict[str, object]:
    said = {"role": "user", "parts": [{"type": "text", "content": f"{_text(dice, 60)}\nand {_text(dice, 20)}"}]}
    call = {"type": "tool_call", "id": f"call_{number}", "name": "look", "arguments": {"q": _text(dice, 20)}}
    messages = {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": json.dumps([said]),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [call]}]),
        "user.email": "x",
    }
    return {
        "traceId": f"{number // 8 + 1:032x}",
        "spanId": f"{number + 1:016x}",
        "name": "chat",
        "attributes": _pairs(messages),
    }


def main() -> None:
    """Print microseconds a span, for several sets of rules."""
    dice = random.Random(2)
    scope = {"scope": {"name": "x"}, "spans": [_span(dice, number) for number in range(SPANS)]}
    resource = {"resource": {"attributes": _pairs({"service.name": "s"})}, "scopeSpans": [scope]}
    body = json.dumps({"resourceSpans": [resource]}).encode()
    secrets = rules("", secrets=True)
    cases = {
        "no rules": Rules(),
        "built-in secrets": secrets,
        "12 attributes, none there": Rules(
            (*secrets.rules, *(Rule(f"k{n}", "mask", "key", f"user.f{n}") for n in range(12)))
        ),
        "a pattern, no match": Rules((*secrets.rules, Rule("email", "mask", pattern=EMAIL))),
        "an attribute of every span": Rules((*secrets.rules, Rule("e", "drop", "key", "user.email"))),
        "a match in every span": Rules((*secrets.rules, Rule("e", "mask", pattern="customer"))),
    }
    print(f"{len(body) // SPANS} bytes a span; {_best(body, None):.1f} µs to decode it")
    for name, found in cases.items():
        print(f"{name:28}{_best(body, Redactor(found)):8.2f} µs")


def _best(body: bytes, redact: Redactor | None) -> float:
    times = []
    for _ in range(7):
        decoded = None if redact is None else traces_json(body)
        begin = time.process_time()
        if redact is None or decoded is None:
            traces_json(body)
        else:
            redact(decoded)
        times.append(time.process_time() - begin)
    return min(times) * 1e6 / SPANS


if __name__ == "__main__":
    main()
