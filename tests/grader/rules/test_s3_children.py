"""S3, Connic tests: agents that the agent triggers. Rules are numbered as in the reference; rows are in `s3.yaml`."""

from typing import Any

from tests.grader.rules.connic_runs import holds, of


@of("S3-23")
def test_S3_23_everything_can_be_asked_of_a_child(row: dict[str, Any]) -> None:
    """With the same keys as at the top."""
    holds(row)


@of("S3-24")
def test_S3_24_triggered_is_a_minimum(row: dict[str, Any]) -> None:
    """Once where nothing is said, over all modes."""
    holds(row)


@of("S3-25")
def test_S3_25_the_payload_by_field_and_as_text(row: dict[str, Any]) -> None:
    """An object has no text."""
    holds(row)


@of("S3-26")
def test_S3_26_a_payload_is_seen_of_every_trigger(row: dict[str, Any]) -> None:
    """Also where the triggered job is not in the trace."""
    holds(row)


@of("S3-27")
def test_S3_27_what_it_did_needs_an_answer_that_was_waited_for(row: dict[str, Any]) -> None:
    """Results, calls, order, and children."""
    holds(row)


@of("S3-28")
def test_S3_28_without_a_waited_trigger_it_fails_with_advice(row: dict[str, Any]) -> None:
    """Also where the mode was not captured."""
    holds(row)


@of("S3-29")
def test_S3_29_a_scheduled_trigger_is_not_waited_for(row: dict[str, Any]) -> None:
    """Name, number and payload come from the call."""
    holds(row)


@of("S3-30")
def test_S3_30_each_trigger_has_its_own_calls(row: dict[str, Any]) -> None:
    """They are not added up."""
    holds(row)


@of("S3-31")
def test_S3_31_one_trigger_that_meets_everything_is_enough(row: dict[str, Any]) -> None:
    """All of it on the same one."""
    holds(row)


@of("S3-32")
def test_S3_32_one_clean_trigger_is_enough(row: dict[str, Any]) -> None:
    """Also for calls that must not be made."""
    holds(row)


@of("S3-33")
def test_S3_33_the_fixture_is_shared_at_every_depth(row: dict[str, Any]) -> None:
    """It is the case's, not the child's own."""
    holds(row)


@of("S3-34")
def test_S3_34_the_agents_own_calls_are_its_own(row: dict[str, Any]) -> None:
    """What a child calls is not the parent's; triggering is."""
    holds(row)


@of("S3-35")
def test_S3_35_children_of_children(row: dict[str, Any]) -> None:
    """To any depth, and only where they stand."""
    holds(row)


@of("S3-36")
def test_S3_36_an_agent_that_was_never_triggered_fails(row: dict[str, Any]) -> None:
    """So does one of which nothing was captured."""
    holds(row)


@of("S3-37")
def test_S3_37_a_childs_status_and_error_are_its_result(row: dict[str, Any]) -> None:
    """From its job, or from what the trigger returned."""
    holds(row)
