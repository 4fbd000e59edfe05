"""Who is asked what: models for verdicts, labels for people's, the store for replies of other runs."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from grader.asking import Answer, Ask, LabelWanted, Question, ReplyWanted
from grader.judge.judges import Judges
from grader.judge.prices import Prices
from grader.judge.verdicts import NOBODYS, About


class Source(Protocol):
    """Answers asks of one kind."""

    def answers(self, asks: Sequence[Ask]) -> Mapping[str, Answer]:
        """By key; what it has no answer to has an error."""
        ...


class Panel:
    """Answers whatever the checks of a suite ask. `model` is asked where a question names none."""

    def __init__(self, judges: Judges, prices: Prices, model: str, labels: Source, replies: Source) -> None:
        self.judges = judges
        self.model = model
        self._prices = prices
        self._sources: dict[type, Source] = {LabelWanted: labels, ReplyWanted: replies}

    def answers(self, asks: Sequence[Ask], about: About = NOBODYS) -> dict[str, Answer]:
        """One answer an ask, by key."""
        wanted = {ask.key: ask for ask in (one.by(self.model) for one in asks)}
        found: dict[str, Answer] = {}
        for kind, source in self._sources.items():
            own = [ask for ask in wanted.values() if isinstance(ask, kind)]
            if own:
                found |= source.answers(own)
        questions = {key: ask for key, ask in wanted.items() if isinstance(ask, Question)}
        return found | (self.judges.answers(questions, self._prices, about) if questions else {})
