"""Verdicts that were paid for, in the store: an unchanged reply costs nothing (S2-27).

What is kept is the judge's own answer (a level, not whether it passes), so another pass level asks nobody. Errors are not kept.
"""

import contextlib
import time
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import orjson
import pyarrow as pa

from collector import ReadOnly, Store
from grader.asking import Answer, Question
from grader.judge.client import Reply

TABLE = "grading.judge_verdicts"
ABOUT = "grading.judged_runs"
_SCHEMA = pa.schema(
    {
        "verdict_key": pa.string(), "judged_at": pa.timestamp("ns"), "judge": pa.string(), "judge_version": pa.string(),
        "model": pa.string(), "verdict": pa.string(), "input_tokens": pa.uint32(), "output_tokens": pa.uint32(),
        "cost_usd": pa.float64(), "seconds": pa.float64(),
    }
)  # fmt: skip


_ABOUT_SCHEMA = pa.schema({"verdict_key": pa.string(), "run_id": pa.string()})

About = Mapping[str, Collection[str]]
"""By the key of a question the runs whose words stand in it."""

NOBODYS: About = {}


class Given(NamedTuple):
    """A verdict that came, and its cost in dollars (None: not known)."""

    question: Question
    reply: Reply
    cost_usd: float | None


class Verdicts:
    """The verdicts of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def known(self, questions: Mapping[str, Question]) -> dict[str, Answer]:
        """Answers to those of the questions that were asked before."""
        if not questions:
            return {}
        rows = self._store.query("known_verdicts", keys=list(questions)).to_pylist()
        return {
            r["verdict_key"]: Answer(
                value=orjson.loads(r["verdict"]), cost_usd=0.0, seconds=0.0, cached=True,
                input_tokens=r["input_tokens"], output_tokens=r["output_tokens"],
            )
            for r in rows
        }  # fmt: skip

    def note(self, about: About) -> None:
        """Keeps whose words stand in these questions, before any is answered: the answers may repeat them."""
        pairs = {(key, run) for key, runs in about.items() for run in runs}
        if not pairs:
            return
        rows = self._store.query("judged_runs_of", keys=list(about)).to_pylist()
        new = sorted(pairs - {(r["verdict_key"], r["run_id"]) for r in rows})
        if new:
            told = pa.Table.from_pylist([{"verdict_key": key, "run_id": run} for key, run in new], schema=_ABOUT_SCHEMA)
            with contextlib.suppress(ReadOnly):
                self._store.append({ABOUT: told}, batch_id=f"judged-{uuid.uuid4().hex}")

    def add(self, given: Sequence[Given]) -> None:
        """Keeps them, in one transaction; they are read from then on, whatever becomes of the grading.

        Whoever may only read keeps none, and pays again the next time.
        """
        if not given:
            return
        rows = pa.Table.from_pylist(list(_rows(given, time.time_ns())), schema=_SCHEMA)
        with contextlib.suppress(ReadOnly):
            self._store.append({TABLE: rows}, batch_id=f"verdicts-{uuid.uuid4().hex}")


def _rows(given: Iterable[Given], now: int) -> Iterable[dict[str, object]]:
    for question, reply, cost in given:
        yield {
            "verdict_key": question.key,
            "judged_at": now,
            "judge": question.judge,
            "judge_version": question.version,
            "model": question.model,
            "verdict": orjson.dumps(reply.verdict).decode(),
            "input_tokens": reply.input_tokens,
            "output_tokens": reply.output_tokens,
            "cost_usd": cost,
            "seconds": reply.seconds,
        }
