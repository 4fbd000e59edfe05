"""Runs written out, as trees for people or as JSON lines for machines."""

import sys
from collections.abc import Iterable

import orjson

from collector.cli.render.machine import run_object
from collector.tree import Run


def write(runs: Iterable[Run], *, as_json: bool, messages: bool = False) -> None:
    """Write each run to standard output; `messages`: with the conversations, which machines always get."""
    if as_json:
        for run in runs:
            sys.stdout.buffer.write(orjson.dumps(run_object(run), default=str, option=orjson.OPT_NON_STR_KEYS) + b"\n")
        sys.stdout.flush()
        return
    from collector.cli.render.screen import screen  # machines need not wait for rich
    from collector.cli.render.tree import run_tree

    console = screen()
    for run in runs:
        console.print(run_tree(run, messages=messages))
