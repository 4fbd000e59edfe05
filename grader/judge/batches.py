"""Questions over the Message Batches API: half the price, an answer within a day, and taken up again after an end.

What was sent is on record before anybody waits for it, so that a second start fetches and does not pay again.
"""

import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from collector import Store
from grader.asking import Question
from grader.judge.client import Client, Reply, parameters, read

TABLE = "grading.judge_batches"
_SCHEMA = pa.schema(
    {
        "batch_id": pa.string(),
        "noted_at": pa.timestamp("ns"),
        "state": pa.string(),
        "verdict_keys": pa.list_(pa.string()),
    }
)
MOST = 10_000
"""Requests a batch; the API takes ten times as many, of 256 MB together."""

POLL_SECONDS = 20.0


class Batches:
    """Sends questions in batches and waits for them."""

    def __init__(
        self, store: Store, poll_seconds: float = POLL_SECONDS, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._store = store
        self._poll_seconds = poll_seconds
        self._sleep = sleep

    def under_way(self, keys: Sequence[str]) -> set[str]:
        """Those of the questions that an earlier start sent and did not fetch."""
        wanted = set(keys)
        return {key for row in self._open() for key in row["verdict_keys"] if key in wanted}

    def replies(self, client: Client, questions: Mapping[str, Question]) -> Iterator[list[tuple[str, Question, Reply]]]:
        """Batch by batch what came of each question; whatever a batch has no answer to is an error."""
        rest = dict(questions)
        sent: list[tuple[str, list[str]]] = []
        for row in self._open():
            own = [key for key in row["verdict_keys"] if key in rest]
            if own:
                sent.append((row["batch_id"], own))
                for key in own:
                    rest.pop(key)
        sent += [(self._send(client, {k: rest[k] for k in keys}), keys) for keys in _parts(list(rest), MOST)]
        for batch_id, keys in sent:
            found = self._fetch(client, batch_id, {key: questions[key] for key in keys})
            yield [(key, questions[key], found.get(key, _MISSING)) for key in keys]
            self._note(batch_id, "fetched", keys)

    def _open(self) -> list[dict[str, Any]]:
        return self._store.query("open_batches").to_pylist()

    def _send(self, client: Client, questions: Mapping[str, Question]) -> str:
        requests = [{"custom_id": key, "params": parameters(question)} for key, question in questions.items()]
        batch_id = client.batches.create(requests=requests).id
        self._note(batch_id, "sent", list(questions))
        return batch_id

    def _fetch(self, client: Client, batch_id: str, questions: Mapping[str, Question]) -> dict[str, Reply]:
        while client.batches.retrieve(batch_id).processing_status != "ended":
            self._sleep(self._poll_seconds)
        found: dict[str, Reply] = {}
        for one in client.batches.results(batch_id):
            question = questions.get(one.custom_id)
            if question is None:
                continue
            if one.result.type == "succeeded":
                found[one.custom_id] = read(question, one.result.message, 0.0)
            else:
                found[one.custom_id] = Reply(error=f"the batch's request {one.result.type}")
        return found

    def _note(self, batch_id: str, state: str, keys: list[str]) -> None:
        row = {"batch_id": batch_id, "noted_at": time.time_ns(), "state": state, "verdict_keys": keys}
        self._store.append(
            {TABLE: pa.Table.from_pylist([row], schema=_SCHEMA)}, batch_id=f"judge-batch-{uuid.uuid4().hex}"
        )


_MISSING = Reply(error="the batch has no answer to this question")


def _parts(keys: list[str], size: int) -> Iterator[list[str]]:
    for begin in range(0, len(keys), size):
        yield keys[begin : begin + size]
