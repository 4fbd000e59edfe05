"""Figures as a table for people, or as JSON."""

import argparse
import json
from collections.abc import Iterable
from typing import Any

Figure = dict[str, Any]


def arguments(about: str, **sizes: int) -> argparse.Namespace:
    """The options that every bench has."""
    return options(about, **sizes).parse_args()


def options(about: str, **sizes: int) -> argparse.ArgumentParser:
    """A parser of the options that every bench has: one a size, and --json."""
    parser = argparse.ArgumentParser(description=about)
    for name, value in sizes.items():
        parser.add_argument(f"--{name}", type=int, default=value, help=f"default {value}")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    return parser


def show(figures: Iterable[Figure], *, as_json: bool) -> None:
    """Print each figure as soon as it is known."""
    for figure in figures:
        if as_json:
            print(json.dumps(figure), flush=True)
        else:
            facts = "   ".join(f"{key} {_number(value)}" for key, value in figure.items() if key != "bench")
            print(f"{figure['bench']:<44} {facts}", flush=True)


def _number(value: Any) -> str:
    return f"{value:,.0f}" if isinstance(value, int) or (isinstance(value, float) and value >= 100) else f"{value:.2f}"
