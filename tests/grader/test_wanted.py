"""Which calls a check means, and how they are told."""

from grader.patterns import Fields, Literal
from grader.wanted import NOT_STOPPED, STATES, Wanted, listing, times
from tests.grader.trees import call, scene


def test_sift_parts_sure_from_perhaps() -> None:
    """A call with unknown arguments may count."""
    wanted = Wanted(tool="f", names="exact", states=STATES["attempted"], arguments=Fields((("a", Literal(1)),)))
    where = scene(call("f", {"a": 1}), call("f", arguments_capture="absent"), call("f", {"a": 2}), "g")
    sifted = wanted.sift(where, "job")
    assert (sifted.sure, sifted.maybe, list(sifted.named)) == ([0], [1], [0, 1, 2])


def test_the_text_has_state_and_arguments() -> None:
    """The default state is not told."""
    wanted = Wanted(tool="f", names="exact", states=STATES["succeeded"], arguments=Fields((("a", Literal(1)),)))
    assert wanted.tell() == "f (succeeded) with a 1"
    assert Wanted(tool="f", names="exact", states=STATES["attempted"]).tell() == "f"


def test_states_partition_every_call_state() -> None:
    """Each native state says yes, no or unknown for each call state, and attempted says yes to all."""
    everything = set(STATES["attempted"].counts)
    for states in STATES.values():
        assert set(states.counts) <= everything
        assert not set(states.counts) & set(states.unknown)


def test_words_for_counts() -> None:
    """As people say them."""
    assert [times(n) for n in range(4)] == ["never", "once", "twice", "3 times"]
    assert listing([call("a"), call("b"), call("a")]) == "the agent called: a (twice), b"
    assert listing([call(f"t{n}") for n in range(10)]).endswith("and 2 more")


def test_a_request_that_may_have_run_is_neither_executed_nor_not() -> None:
    """It was attempted; whether it ran was not recorded."""
    asked = call("f", state="requested", flags=["may_have_run"])
    answers = {name: STATES[name].of(asked) for name in ("attempted", "executed", "succeeded", "failed", "denied")}
    assert answers == {"attempted": True, "executed": None, "succeeded": None, "failed": None, "denied": False}


def test_only_states_of_calls_that_ran_do_without_the_requests() -> None:
    """What never ran leaves no span of its own, so it takes every request to know that there was none."""
    assert {name: "requests" in states.kinds for name, states in STATES.items()} == {
        "attempted": True,
        "executed": False,
        "succeeded": False,
        "failed": False,
        "denied": True,
    }


def test_what_was_stopped_before_it_ran_is_told_apart() -> None:
    """A call that was denied, or still waits, did not happen; every other did. The name of the states is not told."""
    answers = {state: NOT_STOPPED.of(call("f", state=state)) for state in STATES["attempted"].counts}
    assert answers == {
        "requested": True,
        "awaiting_approval": False,
        "denied": False,
        "answered": True,
        "succeeded": True,
        "failed": True,
    }
    assert NOT_STOPPED.of(call("f", state="requested", flags=["may_have_run"])) is True
    assert Wanted(tool="f", names="exact", states=NOT_STOPPED).tell() == "f"
