"""S3, Connic tests: tool calls. Rules are numbered as in the reference; rows: `tests/data/rules/s3.yaml`."""

from typing import Any

from tests.grader.rules.connic_runs import holds, of


@of("S3-12")
def test_S3_12_a_name_alone_is_called_at_least_once(row: dict[str, Any]) -> None:
    """Calls that were not captured are no pass."""
    holds(row)


@of("S3-13")
def test_S3_13_an_expression_on_invocations(row: dict[str, Any]) -> None:
    """It counts the calls; a number that is not known is not met."""
    holds(row)


@of("S3-14")
def test_S3_14_params_filter_calls(row: dict[str, Any]) -> None:
    """Without invocations one matching call is enough, and all filters hold of the same call."""
    holds(row)


@of("S3-15")
def test_S3_15_and_splits_filters_from_counts(row: dict[str, Any]) -> None:
    """The count is that of the calls that match."""
    holds(row)


@of("S3-16")
def test_S3_16_the_same_tool_twice_is_two_assertions(row: dict[str, Any]) -> None:
    """Whatever the order of the calls."""
    holds(row)


@of("S3-17")
def test_S3_17_context_and_none(row: dict[str, Any]) -> None:
    """A count of none holds where no such call was made, and that is known."""
    holds(row)


@of("S3-18")
def test_S3_18_a_condition_on_the_fixture_alone_gates_the_entry(row: dict[str, Any]) -> None:
    """Nothing else of the entry can make up for it."""
    holds(row)


@of("S3-19")
def test_S3_19_local_or_qualified_names(row: dict[str, Any]) -> None:
    """The whole name first, then the last segment."""
    holds(row)


@of("S3-20")
def test_S3_20_order_is_a_subsequence(row: dict[str, Any]) -> None:
    """Other calls may lie between; each entry needs a call of its own."""
    holds(row)


@of("S3-21")
def test_S3_21_no_call_of_these(row: dict[str, Any]) -> None:
    """A mocked call is a call."""
    holds(row)
