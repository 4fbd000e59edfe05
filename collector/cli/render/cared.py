"""What pruning or deleting took out, for people or as one JSON object."""

from collections.abc import Mapping
from typing import Any, TextIO

import orjson

from collector.amounts import shown


def write(done: Mapping[str, Any], out: TextIO, *, dry_run: bool, as_json: bool) -> None:
    """Write it."""
    if as_json:
        out.write(orjson.dumps({**done, "dry_run": dry_run}).decode() + "\n")
        return
    counts = [_many(done[name], name[:-1]) for name in ("traces", "runs", "spans")]
    what = f"{', '.join(counts)} and {_many(done['logs'], 'log record')}"
    if dry_run:
        out.write(f"Would take out {what}; the file has {shown(done['before'])}.\n")
    elif not done["traces"] and not done["logs"]:
        out.write(f"Nothing to take out; the file has {shown(done['before'])}.\n")
    else:
        sizes = f"the file had {shown(done['before'])} and has {shown(done['after'])}"
        out.write(f"Took out {what}; {sizes} ({done['seconds']:.1f} s).\n")


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
