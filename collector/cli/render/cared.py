"""What pruning or deleting took out, for people or as one JSON object."""

from collections.abc import Mapping
from typing import Any, TextIO

import orjson

from collector.amounts import shown
from collector.printable import clean

OUTSIDE = "Not erased is what left the store: exports, reports, label files, backups, and what judges were sent before."


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


def write_left(done: Mapping[str, Any], out: TextIO) -> None:
    """After a deletion: what was not erased, and where it may still be."""
    told = [OUTSIDE]
    if done["copies"]:
        told.append("Copies of the store that were set aside may hold it; remove those that you do not need:")
        told += [f"  {clean(folder)}" for folder in done["copies"]]
    told += [
        f"Other traces of the conversation {clean(name)} may repeat what was said: delete them with --conversation."
        for name in done["conversations"]
    ]
    out.writelines(f"{line}\n" for line in told)


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
