"""Checks of an evalstone file, one for each thing that a function may come to."""

import os
import time

import words
from evalstone import Score, check  # ty: ignore


@check("no_apology")
def no_apology(sample, output):
    return words.SORRY not in output.text.lower()


@check
def half(sample, output):
    return 0.5


@check("whole")
def _whole(sample, output):
    return 1


@check("scored")
def _scored(sample, output, ctx):
    reason = f"{sample.id} {sample.metadata['who']} {sample.tags} {output.metadata['region']} {ctx.run.root.agent}"
    return Score(value=0.75, passed=True, reason=reason, cost=0.01, latency=2)


check("lambda")(lambda sample, output: output.value == {"label": "ok"})


@check("raises")
def _raises(sample, output):
    return {}[output.text]


@check("nothing")
def _nothing(sample, output):
    print("a function may print", output.text)


@check("text")
def _text(sample, output):
    return output.text


@check("beyond")
def _beyond(sample, output):
    return 1.5


@check("cannot")
def _cannot(sample, output):
    return Score(error="no reference")


@check("undecided")
def _undecided(sample, output):
    return Score(reason="hard to say")


@check("leaves")
def _leaves(sample, output):
    raise SystemExit(0)


@check("dies")
def _dies(sample, output):
    os._exit(3)


@check("hangs")
def _hangs(sample, output):
    while True:
        time.sleep(0)


@check("reads")
def _reads(sample, output):
    return input() == ""
