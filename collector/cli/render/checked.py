"""Findings about a store, and what became of one that was recovered: a line each for people, or JSON."""

import dataclasses
import json

from collector.cli.render.text import clean
from collector.store.care.checkup import Finding
from collector.store.care.recovery import Recovered


def finding(found: Finding, *, as_json: bool) -> str:
    """One line."""
    if as_json:
        return json.dumps(dataclasses.asdict(found))
    return f"{found.state:<6} {found.about:<11} {clean(found.text)}"


def recovered(path: str, what: Recovered, *, as_json: bool) -> str:
    """Some sentences, or one object."""
    if as_json:
        return json.dumps(dataclasses.asdict(what), default=str)
    said = [f"A copy of everything is in {what.copies}."]
    if what.reason:
        said.append(f"The store could not be opened as it was: {what.reason}")
    match what.how:
        case "whole":
            said.append("It opens with its log.")
        case "in part":
            rows = ", ".join(f"{number:,} rows of {table}" for table, number in what.unreadable.items())
            said.append(f"What can be read of it was copied into a new file; not read could be: {rows or 'nothing'}.")
        case "last checkpoint":
            said.append("It opens without its log, as it was at its last checkpoint; the log is among the copies.")
        case "nothing":
            said.append(f"Nothing of it can be opened; it was set aside, and the next start makes a new {path}.")
    if what.found:
        held = f"{what.found.seq:,} commits with {what.found.spans:,} spans and {what.found.logs:,} log records"
        said.append(f"It holds {held}.")
    said.append(f"Lost: {what.loss}." if what.loss else "Nothing that was acknowledged is known to be missing.")
    return "\n".join(map(clean, said))
