"""Conversations for trees that were read from a store."""

from pathlib import Path

from collector.answer.local import LocalStore
from collector.cli.conversations import filled
from collector.cli.loading import Loading
from collector.tree_text import from_json, to_json
from tests import captures

NAME = "pydantic-ai-v5-simple__native__delegate"


def test_stored_messages_are_those_of_the_normalizer(data: Path) -> None:
    """What the table holds is, job by job, what the normalizer made of the same spans."""
    with LocalStore(":memory:") as store:
        Loading(store).put([data / "captures" / NAME])
        store.settle()
        runs = list(filled(store, map(from_json, store.query("trees")["tree"].to_pylist())))
    fresh = captures.load(NAME).trees()
    said = [[job.messages for job in run.root.walk()] for run in runs]
    assert said == [[job.messages for job in run.root.walk()] for run in fresh]
    assert [len(messages) for messages in said[0]] == [4, 6]


def test_runs_that_are_not_stored_stay_empty() -> None:
    """A run without rows keeps its empty conversations."""
    (run,) = captures.load(NAME).trees()
    with LocalStore(":memory:") as store:
        assert [job.messages for job in next(filled(store, [from_json(to_json(run))])).root.walk()] == [[], []]
