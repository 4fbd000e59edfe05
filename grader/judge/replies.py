"""Replies of the runs of another batch, for comparisons: the run that answers the same case, else that was asked the same."""

from collections.abc import Mapping, Sequence

from collector import Store
from grader.asking import Answer, Ask, ReplyWanted


class Replies:
    """Reads the batches that are asked for, each once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._batches: dict[str, tuple[dict[str, Answer], dict[str, Answer]]] = {}

    def answers(self, asks: Sequence[Ask]) -> Mapping[str, Answer]:
        """Of several runs that fit the newest is taken; a run whose reply was not captured fits nothing."""
        return {ask.key: self._answer(ask) for ask in asks if isinstance(ask, ReplyWanted)}

    def _answer(self, ask: ReplyWanted) -> Answer:
        by_case, by_input = self._batch(ask.batch)
        if not by_case and not by_input:
            return Answer(error=f"no run of the batch {ask.batch!r} has a reply")
        for known, name in ((by_case, ask.case), (by_input, ask.input)):
            if name is not None and name in known:
                return known[name]
        return Answer(error=f"the batch {ask.batch!r} has no run of this case with a reply")

    def _batch(self, batch: str) -> tuple[dict[str, Answer], dict[str, Answer]]:
        if batch not in self._batches:
            rows = self._store.query("batch_replies", batch=batch).to_pylist()
            said = [Answer(value=r["reply"], runs=(r["run_id"],)) for r in rows]
            by_case = {r["case_name"]: one for r, one in zip(rows, said, strict=True) if r["case_name"] is not None}
            by_input = {r["input"]: one for r, one in zip(rows, said, strict=True) if r["input"] is not None}
            self._batches[batch] = (by_case, by_input)
        return self._batches[batch]
