"""S3, Connic tests: approvals. Rules are numbered as in the reference; rows: `tests/data/rules/s3.yaml`."""

from typing import Any

from tests.grader.rules.connic_runs import holds, of


@of("S3-38")
def test_S3_38_an_entry_says_which_approval_and_how(row: dict[str, Any]) -> None:
    """The recorded decision is the entry's."""
    holds(row)


@of("S3-39")
def test_S3_39_without_params_whatever_the_parameters(row: dict[str, Any]) -> None:
    """With them, only such approvals."""
    holds(row)


@of("S3-40")
def test_S3_40_an_entry_answers_once(row: dict[str, Any]) -> None:
    """The first one left, in the order of the list."""
    holds(row)


@of("S3-41")
def test_S3_41_what_follows_a_rejection_is_the_approvals_own(row: dict[str, Any]) -> None:
    """The run fails or goes on; the test says which it expects."""
    holds(row)


@of("S3-42")
def test_S3_42_strict_wants_every_approval_and_every_entry(row: dict[str, Any]) -> None:
    """No approval without an entry, no entry without one."""
    holds(row)


@of("S3-43")
def test_S3_43_otherwise_what_nobody_answers_waits(row: dict[str, Any]) -> None:
    """And an entry that nothing asked for is ignored."""
    holds(row)
