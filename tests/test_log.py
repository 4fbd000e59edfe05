"""The collector's log."""

import logging
import sys

from collector.log import Lines


def formatted(message: str, *arguments: object, error: Exception | None = None) -> str:
    """A record as it is written."""
    trace = None
    if error is not None:
        try:
            raise error
        except type(error):
            trace = sys.exc_info()
    return Lines().format(logging.LogRecord("x", logging.ERROR, __file__, 1, message, arguments, trace))


def test_of_an_exception_its_text_is_left_out():
    """An exception is logged by its kind and places: what it says may be what a client sent (X-09)."""
    said = formatted("an export failed", error=ValueError("bad value 4111-1111 of tgi_secret"))
    assert "an export failed" in said
    assert "ValueError" in said
    assert "test_log.py" in said
    assert "4111" not in said
    assert "secret" not in said


def test_a_message_is_one_harmless_line():
    """Control characters of names are shown and not obeyed."""
    said = formatted("dropped %s", "a\x1b[2J\nERROR forged")
    assert len(said.splitlines()) == 1
    assert r"a\x1b[2J\nERROR forged" in said
