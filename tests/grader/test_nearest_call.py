"""Which call came closest, and how it differs."""

from grader.nearest_call import nearest_call
from grader.patterns import Fields, Literal
from grader.wanted import STATES, State, Wanted
from tests.grader.trees import call, scene


def near(*calls: object, state: State = "attempted", closed: bool = True) -> tuple[int, str]:
    """Of these calls of f, where a 1 and b 2 are wanted."""
    fields = Fields((("a", Literal(1)), ("b", Literal(2))), closed=closed)
    wanted = Wanted(tool="f", names="exact", states=STATES[state], arguments=fields)
    found = scene(*calls).calls("job")  # ty: ignore[invalid-argument-type]
    return nearest_call(wanted, found, range(len(calls)), complete=True)


def test_fewest_differences_win() -> None:
    """One wrong field is told alone, several are told with their names."""
    assert near(call("f", {"a": 3}), call("f", {"a": 1, "b": 3})) == (1, "with b 3; expected 2")
    assert near(call("f", {"a": 3})) == (0, "with a 3, b missing; expected a 1, b 2")
    assert near(call("f", {"a": 1, "b": 2, "c": 0})) == (0, "with c 0; expected absent")


def test_a_call_that_ended_otherwise_is_told_by_its_state() -> None:
    """And is further away than one with other arguments."""
    denied = call("f", {"a": 1, "b": 2}, state="denied")
    assert near(denied, state="executed") == (0, "in state denied; expected executed")
    assert near(denied, call("f", {}), state="executed")[0] == 1


def test_arguments_that_are_none_differ_as_a_whole() -> None:
    """Where no field can be named."""
    assert near(call("f", "text"), closed=False)[1] == "with a missing, b missing; expected a 1, b 2"
