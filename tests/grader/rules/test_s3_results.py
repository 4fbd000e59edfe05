"""S3, Connic tests: results and the language. Rules are numbered as in the reference; rows: `tests/data/rules/s3.yaml`."""

from typing import Any

from tests.grader.rules.connic_runs import holds, of


@of("S3-3")
def test_S3_03_a_bare_path_is_a_truth(row: dict[str, Any]) -> None:
    """Set, and neither empty, zero, false nor null."""
    holds(row)


@of("S3-4")
def test_S3_04_a_missing_field_is_not_met(row: dict[str, Any]) -> None:
    """Nor is its opposite; a bare missing path is plainly false."""
    holds(row)


@of("S3-5")
def test_S3_05_values_without_an_order_are_not_met(row: dict[str, Any]) -> None:
    """Nothing is in null, which is an answer."""
    holds(row)


@of("S3-6")
def test_S3_06_fields_are_data(row: dict[str, Any]) -> None:
    """A field called like a method is the field, or missing."""
    holds(row)


@of("S3-7")
def test_S3_07_what_an_expression_sees(row: dict[str, Any]) -> None:
    """The reply as what it says where it is JSON, the status, the error, and the fixture."""
    holds(row)


@of("S3-8")
def test_S3_08_conditions_on_results(row: dict[str, Any]) -> None:
    """The forms that the documentation shows."""
    holds(row)


@of("S3-9")
def test_S3_09_an_agents_error_fails_before_the_expression(row: dict[str, Any]) -> None:
    """Unless the expression speaks of error or status."""
    holds(row)


@of("S3-10")
def test_S3_10_without_an_expression_the_run_must_have_completed(row: dict[str, Any]) -> None:
    """And nothing else."""
    holds(row)


@of("S3-11")
def test_S3_11_a_reply_that_is_json_is_what_it_says(row: dict[str, Any]) -> None:
    """Keys of an object, numbers, booleans."""
    holds(row)
