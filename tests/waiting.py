"""Waiting for what the code under test has no event for; the test's time limit ends it."""

import asyncio
import time
from collections.abc import Callable


def until(true: Callable[[], object]) -> None:
    """Return when it is so."""
    while not true():
        time.sleep(0.02)


async def turns_until(true: Callable[[], object]) -> None:
    """Let the loop turn until it is so."""
    while not true():  # noqa: ASYNC110 -- there is no event for it
        await asyncio.sleep(0)
