"""The audit table on a terminal."""

from typing import Any

from rich.console import Console

from collector.cli.render.audit import listing


def printed(**facts: Any) -> list[str]:
    """The table of one row as a terminal of 120 columns shows it."""
    deed = {
        "at": "2026-01-02 03:04:05.123456789",
        "who": "0a1b2c3d",
        "who_name": None,
        "what": "sql",
        "outcome": "done",
        "row_count": 3,
        "trace_count": None,
        "about": "f" * 64,
        "about_name": None,
        "size": 17,
    } | facts
    console = Console(width=120, color_system=None)
    with console.capture() as capture:
        for piece in listing([deed], console.width):
            console.print(piece)
    return capture.get().splitlines()


def test_a_deed_is_a_line() -> None:
    """The time to the second, the token's id where it has no name, and the beginning of a hash."""
    assert printed()[2].split() == ["2026-01-02", "03:04:05", "0a1b2c3d", "sql", "done", "3", "-", "f" * 12, "17"]


def test_tokens_are_called_by_their_names() -> None:
    """Who, and about whom; and a name is no order to the terminal (X-09)."""
    line = printed(who_name="ci", what="token revoked", about="0a1b2c3d", about_name="\x1b[2Jold")[2]
    assert line.split()[2:7] == ["ci", "token", "revoked", "done", "3"]
    assert "\\x1b[2Jold" in line
