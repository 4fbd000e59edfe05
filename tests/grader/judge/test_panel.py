"""Who is asked what."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.asking import Answer, Ask, LabelWanted, Question, ReplyWanted
from grader.judge.judges import Judges
from grader.judge.panel import Panel
from grader.judge.prices import Prices
from grader.judge.verdicts import NOBODYS, About


class Noted(Judges):
    """Judges that say what they were asked."""

    def answers(self, questions: Mapping[str, Question], prices: Prices, about: About = NOBODYS) -> dict[str, Answer]:  # noqa: ARG002
        return {key: Answer(value=f"judge {q.model}") for key, q in questions.items()}


class Source:
    """A source that says its name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.asked: list[Ask] = []

    def answers(self, asks: Sequence[Ask]) -> Mapping[str, Answer]:
        self.asked += asks
        return {ask.key: Answer(value=self.name) for ask in asks}


def test_each_ask_goes_to_whom_it_concerns() -> None:
    """Once, whoever asks how often; questions without a model to the grading's."""
    question = Question(judge="j", system="", prompt="p", schema="{}")
    label = LabelWanted(sample="s", output_hash="h", check=None, source="center")
    reply = ReplyWanted(batch="b", case=None, input="q")
    labels, replies = Source("label"), Source("reply")
    panel = Panel(Noted(), Prices(), "m", labels, replies)
    found = panel.answers([question, replace(question, model="n"), label, reply, label, replace(question, model="m")])
    assert sorted(a.value for a in found.values()) == ["judge m", "judge n", "label", "reply"]
    assert (labels.asked, replies.asked) == ([label], [reply])
    assert panel.answers([]) == {}
    assert len(labels.asked) == 1
