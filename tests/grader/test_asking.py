"""What is asked, as data."""

from dataclasses import replace

from grader.asking import Answer, Answers, LabelWanted, Question, ReplyWanted

ASKED = Question(judge="criterion/1", system="s", prompt="p", schema="{}", model="m")


def test_the_version_is_of_the_judge_and_the_key_of_the_prompt_too() -> None:
    """S2-27: another prompt version, scale, model or schema is another judge; a longer bound on the verdict is none."""
    changes = ({"judge": "criterion/2"}, {"system": "t"}, {"schema": "[]"}, {"model": "n"})
    others = [replace(ASKED, **change) for change in changes]
    assert len({ASKED.version, *(o.version for o in others)}) == 5
    assert len({ASKED.key, *(o.key for o in others)}) == 5
    assert replace(ASKED, prompt="q").version == ASKED.version
    assert replace(ASKED, prompt="q").key != ASKED.key
    assert replace(ASKED, max_tokens=9).key == ASKED.key


def test_whoever_names_no_model_is_asked_of_the_grading_s() -> None:
    """Labels and replies know none."""
    assert ASKED.by("n") is ASKED
    assert replace(ASKED, model="").by("n").model == "n"
    label = LabelWanted(sample="s", output_hash="h", check=None, source="center")
    reply = ReplyWanted(batch="b", case=None, input="q")
    assert (label.by("n"), reply.by("n")) == (label, reply)
    assert len({label.key, replace(label, check="tone").key, reply.key, replace(reply, case="c").key}) == 4


def test_what_is_not_known_is_noted_once() -> None:
    """And what is known is counted as used."""
    answers = Answers(model="n")
    assert answers.of(replace(ASKED, model="")) is None
    assert answers.of(replace(ASKED, model="")) is None
    ((key, asked),) = answers.asked.items()
    assert (key, asked) == (asked.key, replace(ASKED, model="n"))
    answers.known[key] = Answer(value=1)
    assert answers.of(replace(ASKED, model="")) == Answer(value=1)
    assert (answers.used, list(answers.drawn)) == ([Answer(value=1)], [key])
