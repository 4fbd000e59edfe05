"""What a grading would ask of judges, for a dry run."""

from collections.abc import Sequence

import orjson

from grader.grading import Grading
from grader.judge.tally import Tally


def foreseen(gradings: Sequence[Grading], *, as_json: bool) -> str:
    """A line a suite, and the sum where there are several; as JSON one object."""
    found = [(g.suite.name, Tally() if g.asked is None else g.asked.tally) for g in gradings]
    if as_json:
        told = {"suites": [{"suite": name} | _plain(tally) for name, tally in found]}
        return orjson.dumps(told, option=orjson.OPT_INDENT_2).decode() + "\n"
    return "".join(f"{name}: {_line(tally)}\n" for name, tally in found)


def _plain(tally: Tally) -> dict[str, object]:
    return {
        "calls": tally.calls, "cached": tally.cached, "input_tokens_at_most": tally.input_tokens,
        "output_tokens_at_most": tally.output_tokens, "usd_at_most": tally.usd,
    }  # fmt: skip


def _line(tally: Tally) -> str:
    cost = (
        f"${tally.usd:.2f}" if tally.usd is not None else f"unknown (no price of {', '.join(sorted(tally.unpriced))})"
    )
    tokens = f"{tally.input_tokens:,} tokens in, {tally.output_tokens:,} out"
    return f"{tally.calls:,} judge calls, {tally.cached:,} cached; at most {tokens}, {cost}"
