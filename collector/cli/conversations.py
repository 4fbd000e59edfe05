"""Conversations for trees that were read from a store: they stand in a table of their own."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import orjson

from collector.message import Message
from collector.store.protocol import Store
from collector.tree import Run

AT_ONCE = 500
"""Runs whose messages are read in one query."""


def filled(store: Store, runs: Iterable[Run]) -> Iterator[Run]:
    """The runs, each job with its messages as the store holds them."""
    left = iter(runs)
    while part := list(islice(left, AT_ONCE)):
        jobs = {(run.id, job.id): job for run in part for job in run.root.walk()}
        for row in store.query("messages", runs=[run.id for run in part]).to_pylist():
            if job := jobs.get((row.pop("run_id"), row.pop("job_id"))):
                job.messages.append(_message(row))
        yield from part


def _message(row: dict[str, Any]) -> Message:
    return Message(**row | {"calls": orjson.loads(row["calls"] or "[]")})
