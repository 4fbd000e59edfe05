"""Functions of a native suite."""

from grader.code import Score


def polite(reply):
    return "please" in reply


def looked_up(run):
    names = [call.name for call in run.root.tool_calls]
    return Score(passed="lookup" in names, reason=f"called {names}")


def amount(run, reply, context):
    return str(context["amount"]) in reply and run.service is None


def with_default(*, reply, strict=False):
    return not strict


def undecided(run):
    return Score(reason="hard to say")


def raises(reply):
    return 1 / len(reply.strip("done"))


def hangs(reply):
    while True:
        pass


def sample_and_output(sample, output):
    return True


async def later(reply):
    return True


LENGTH = 3
