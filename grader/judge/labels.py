"""Labels of people, as the checks that ask for one read them: from a file, or from the store.

A check that names no source is answered by the store once that holds a label of its check, else by `labels.jsonl` beside the
suite (S2-52): one of the two, never a mixture.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from collector import Store, StoreError, UserError
from grader.asking import CENTER, Answer, Ask, LabelWanted
from grader.gate import plural
from grader.people import stored
from grader.people.label import Label
from grader.people.label_file import DEFAULT, LabelFile, read

HOW = "`tracegrade label` asks for one"


class Labels:
    """Reads each file once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._files: dict[Path, _File | str] = {}

    def answers(self, asks: Sequence[Ask]) -> Mapping[str, Answer]:
        """Each label, or why there is none. A store or a file that cannot be read is an error of its labels (S2-53)."""
        wanted = [ask for ask in asks if isinstance(ask, LabelWanted)]
        found = self._of_store([ask for ask in wanted if ask.source in ("", CENTER)])
        return found | {ask.key: self._of_file(ask) for ask in wanted if ask.key not in found}

    def _of_store(self, asks: Sequence[LabelWanted]) -> dict[str, Answer]:
        """Answers to those that are the store's to answer."""
        try:
            names = stored.names(self._store) if any(not ask.source for ask in asks) else {}
            own = [ask for ask in asks if ask.source or (bool(names) if ask.check is None else ask.check in names)]
            labels = stored.about(self._store, (a.sample for a in own), (a.run for a in own)) if own else []
        except StoreError as error:
            return {ask.key: Answer(error=f"the store's labels cannot be read: {error}") for ask in asks}
        index = _Index(labels)
        return {ask.key: _of_labels(ask, [labels[place] for place in index.about(ask)]) for ask in own}

    def _of_file(self, ask: LabelWanted) -> Answer:
        name = ask.source or DEFAULT
        path = Path(ask.folder) / name
        if path not in self._files:
            self._files[path] = _File.of(path)
        known = self._files[path]
        if isinstance(known, str):
            return Answer(error=f"{known}; {HOW}, and --export writes such a file")
        about = [known.read.labels[place] for place in known.index.about(ask)]
        last, label = next(((line, label) for line, label in reversed(about) if label.fits(ask)), (0, None))
        broken = [b for b in known.read.broken if b.line > last and b.whose is not None and b.whose.fits(ask)]
        if broken:
            return Answer(error=f"{path}:{broken[-1].line} is no label: {broken[-1].message}")
        if label is None:
            return Answer(error=f"{name} has {_lack(ask, [own for _, own in about])}{known.beside}; {HOW}")
        return Answer(value=_value(label) | ({"beside": known.beside} if known.beside else {}))


class _Index:
    """The places of labels by sample and by run."""

    def __init__(self, labels: Iterable[Label]) -> None:
        self._by_sample: dict[str, list[int]] = {}
        self._by_run: dict[str, list[int]] = {}
        for place, label in enumerate(labels):
            self._by_sample.setdefault(label.sample_id, []).append(place)
            if label.run_id:
                self._by_run.setdefault(label.run_id, []).append(place)

    def about(self, ask: LabelWanted) -> list[int]:
        """In their order."""
        return sorted({*self._by_sample.get(ask.sample, ()), *self._by_run.get(ask.run, ())})


class _File:
    """A file that was read. `beside` tells of the lines that are no labels."""

    def __init__(self, path: Path, found: LabelFile) -> None:
        self.read = found
        self.index = _Index(label for _, label in found.labels)
        self.beside = ""
        if found.broken:
            first, number = found.broken[0], len(found.broken)
            others = f"; {plural(number - 1, 'other line')} of it, too" if number > 1 else ""
            self.beside = f" ({path}:{first.line} is no label: {first.message}{others})"

    @classmethod
    def of(cls, path: Path) -> "_File | str":
        """The file, or why it cannot be read."""
        try:
            return cls(path, read(path))
        except UserError as error:
            return str(error)


def _of_labels(ask: LabelWanted, labels: Sequence[Label]) -> Answer:
    fitting = [label for label in labels if label.fits(ask)]
    if fitting:
        by = fitting[-1].run_id
        return Answer(value=_value(fitting[-1]), runs=(by,) if by and by != ask.run else ())
    left = ""
    if not ask.source and (Path(ask.folder) / DEFAULT).is_file():
        left = (
            f"; {DEFAULT} is not read, since the store has labels (--import takes it in, `labels: {DEFAULT}` reads it)"
        )
    return Answer(error=f"the store has {_lack(ask, labels)}{left}; {HOW}")


def _lack(ask: LabelWanted, about: Sequence[Label]) -> str:
    """That there is no label, and what comes closest among those of the same sample or run."""
    others = sorted({label.check or "" for label in about if label.output_hash == ask.output_hash})
    near = ""
    if others:
        near = " of this check, only " + ", ".join(
            f"of {other!r}" if other else "of no check by name" for other in others
        )
    elif about:
        near = ", only of other outputs"
    return f"no label for this output of {ask.sample!r}{near}"


def _value(label: Label) -> dict[str, Any]:
    """What a check reads of it."""
    return {"value": label.value, "passed": label.passed, "notes": label.notes, "labeler": label.labeler}
