"""Which outputs have no label yet: those of a suite whose checks want one, or all runs of the store."""

import dataclasses
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from collector import Store, tree, tree_text
from grader.asking import CENTER, Answers, Ask, LabelWanted
from grader.case import Case, Check, Suite
from grader.checks.human import Human, output_hash
from grader.judge.labels import Labels
from grader.part import Judge, Terms
from grader.people.judged import JUDGED
from grader.replies import Rendering, text_of
from grader.results import reading
from grader.scene import Scene
from grader.select import NANOSECONDS
from grader.workers import BATCH

_AT_ONCE = 50
"""Runs of the store that are looked at before the first is shown: all of them may be many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlabelled:
    """An output that wants a label, and where it was found."""

    ask: LabelWanted
    suite: str | None = None
    case: str | None = None


def of_suite(store: Store, suite: Suite, check: str | None, *, again: bool = False) -> list[Unlabelled]:
    """Outputs for which a check of the suite wants a person's label (`check`: only the check of that name).

    Where no check wants one, each output wants one of that name; without a name, one for each judge, by the judge's own name.
    `again`: also outputs that have one.
    """
    wanted = [one for one in _asked(store, suite) if check in (None, one.ask.check)]
    if not wanted:
        cases = tuple(dataclasses.replace(c, expect=_instead(c, check)) for c in suite.cases)
        wanted = _asked(store, dataclasses.replace(suite, cases=cases))
    return wanted if again else list(_without(store, wanted))


def of_store(store: Store, check: str | None, *, again: bool = False) -> Iterator[Unlabelled]:
    """Outputs of the store's runs, the newest first; a few are looked at ahead of the one that is asked for."""
    ids: list[str] = store.query("replied_runs").column("run_id").to_pylist()
    human = Human(check=check)
    seen: set[str] = set()
    for begin in range(0, len(ids), _AT_ONCE):
        part = ids[begin : begin + _AT_ONCE]
        trees = trees_of(store, part)
        found: list[Unlabelled] = []
        for run in (trees[run_id] for run_id in part if run_id in trees):
            answers = Answers()
            human.decide(Scene(run, answers=answers))
            found += [Unlabelled(ask=ask) for ask in _new(answers.asked.values(), seen)]
        yield from found if again else _without(store, found)


def trees_of(store: Store, run_ids: Sequence[str]) -> dict[str, tree.Run]:
    """The runs with these ids, where they are still there."""
    rows = store.query("trees_of_runs", runs=list(run_ids)).to_pylist()
    return {row["run_id"]: tree_text.from_json(row["tree"]) for row in rows}


def output_of(run: tree.Run, ask: LabelWanted) -> str | None:
    """The text of the run's output that is meant, its own or that of a job below; None: the run has another one by now."""
    renderings: tuple[Rendering, ...] = ("compact", "sorted")
    texts = (text_of(job.reply, rendering) for job in run.root.walk() for rendering in renderings)
    return next((text for text in texts if output_hash(text) == ask.output_hash), None)


def _asked(store: Store, suite: Suite) -> list[Unlabelled]:
    """What the suite's checks ask of people, each label once, in the order of the runs."""
    now = time.time_ns()
    judge = Judge(suite, Terms(now=now, attributes=suite.select.attributes))
    table = reading.selected(store, suite.select, datetime.fromtimestamp(now / NANOSECONDS, UTC), None)
    seen: set[str] = set()
    found: list[Unlabelled] = []
    for batch in reading.batches(table, BATCH):
        for waiting in judge.part(run.candidate() for run in batch).waiting:
            asks = _new(waiting.asked, seen)
            found += [Unlabelled(ask=ask, suite=suite.name, case=waiting.case) for ask in asks]
    return found


def _new(asks: Iterable[Ask], seen: set[str]) -> Iterator[LabelWanted]:
    """Labels that nothing in `seen` stands for: one label is enough for all runs of a sample with the same output."""
    for ask in asks:
        if isinstance(ask, LabelWanted):
            key = dataclasses.replace(ask, run="").key
            if key not in seen:
                seen.add(key)
                yield ask


def _instead(case: Case, check: str | None) -> tuple[Check, ...]:
    """Checks that want a label each."""
    names = [c.label for c in case.expect if isinstance(c.primitive, JUDGED)] if check is None else [check]
    return tuple(
        Check(
            label=f"label {number}", kind="human", position=str(number), primitive=Human(check=name),
            severity="critical", unknown="error",
        )
        for number, name in enumerate(dict.fromkeys(names) or [None], 1)
    )  # fmt: skip


def _without(store: Store, wanted: Sequence[Unlabelled]) -> Iterator[Unlabelled]:
    """Those that have no label: neither where their check looks for one, nor in the store, where new ones go."""
    labels = Labels(store)
    own = labels.answers([one.ask for one in wanted])
    central = {one.ask.key: dataclasses.replace(one.ask, source=CENTER) for one in wanted}
    known = labels.answers(list(central.values()))
    for one in wanted:
        if own[one.ask.key].error and known[central[one.ask.key].key].error:
            yield one
