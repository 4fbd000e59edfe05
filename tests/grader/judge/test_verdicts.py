"""Verdicts in the store."""

from collector import connect
from grader.judge.client import Reply
from grader.judge.prompting import question, verdict
from grader.judge.verdicts import Given, Verdicts
from grader.results import extension

COLUMNS = "judge, model, judge_version, input_tokens, cost_usd, seconds"
ASKED = question("criterion", verdict(met={"type": "boolean"}), {"criterion": "c", "request": "q", "reply": "r"}, "m")


def test_what_is_kept_is_found_again_and_can_be_asked_in_sql() -> None:
    """The judge's own answer, with who gave it and at what cost; whether it passes is not among it."""
    reply = Reply({"reasoning": "because", "met": True}, input_tokens=7, output_tokens=3, seconds=0.5)
    with connect(":memory:", extensions=[extension()]) as store:
        verdicts = Verdicts(store)
        assert verdicts.known({}) == {}
        assert verdicts.known({ASKED.key: ASKED}) == {}
        verdicts.add([])
        verdicts.add([Given(ASKED, reply, None)])
        found = verdicts.known({ASKED.key: ASKED, "0" * 32: ASKED})
        assert list(found) == [ASKED.key]
        assert (found[ASKED.key].value, found[ASKED.key].cached) == (reply.verdict, True)
        (row,) = store.sql(
            "SELECT judge, model, judge_version, input_tokens, cost_usd, seconds FROM judge_verdicts"
        ).to_pylist()
        assert row == {
            "judge": "criterion/1", "model": "m", "judge_version": ASKED.version, "input_tokens": 7, "cost_usd": None,
            "seconds": 0.5,
        }  # fmt: skip


def test_whose_words_stand_in_a_question_is_noted_once() -> None:
    """One row a question and run, however often it is asked about."""
    with connect(":memory:", extensions=[extension()]) as store:
        verdicts = Verdicts(store)
        for about in ({}, {ASKED.key: {"a", "b"}}, {ASKED.key: {"b"}}, {ASKED.key: {"b", "c"}}):
            verdicts.note(about)
        rows = store.sql("SELECT verdict_key, run_id FROM judged_runs ORDER BY run_id").to_pylist()
        assert rows == [{"verdict_key": ASKED.key, "run_id": run} for run in "abc"]
