"""The list of runs."""

from typing import Any

from rich.console import Console

from collector.cli.render.runs import listing


def printed(**facts: Any) -> list[str]:
    """The list of one run as a terminal of 120 columns shows it."""
    run = {
        "run_id": "0123456789abcdef",
        "started": "2026-01-02 03:04:05.123456789",
        "service": "shop",
        "agent": None,
        "status": "completed",
        "open": False,
        "tool_calls": 3,
        "seconds": 1.5,
        "input": "Refund\nit",
    } | facts
    console = Console(width=120, color_system=None)
    with console.capture() as capture:
        for piece in listing([run], console.width):
            console.print(piece)
    return capture.get().splitlines()


def test_a_run_is_a_line() -> None:
    """The beginning of the id, the time to the second, and a dash for an agent that no span names."""
    assert printed()[2].split() == [
        *("0123456789ab", "2026-01-02", "03:04:05", "shop", "-", "completed", "3", "1.5", "s", "Refund\\nit"),
    ]


def test_an_open_run_says_so() -> None:
    """A run whose root has not ended is marked, and has no duration."""
    line = printed(open=True, seconds=None, status="running", started=None)[2]
    assert line.split()[:6] == ["0123456789ab", "-", "shop", "-", "running", "(open)"]


def test_a_long_input_is_cut_and_the_id_is_not() -> None:
    """The id stays of use in a narrow terminal."""
    assert printed(input="x" * 500)[2].startswith("0123456789ab ")
