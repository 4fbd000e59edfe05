"""Reads files of SQL blocks: separated by blank lines, the first line a comment that says what it is."""

from pathlib import Path
from typing import NamedTuple


class Block(NamedTuple):
    """One statement and what it is for."""

    title: str
    sql: str


def read(name: str) -> list[Block]:
    """The blocks of a file beside this one, without its heading."""
    parts = (Path(__file__).parent / name).read_text("utf-8").strip().split("\n\n")[1:]
    return [Block(*part.split("\n", 1)) for part in parts]


def hostile() -> list[Block]:
    """All statements that must be refused."""
    return [*read("hostile_reads.sql"), *read("hostile_orders.sql")]
