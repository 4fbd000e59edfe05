"""Errors for people."""

import pytest

from collector import StoreError, UserError
from collector.errors import PortInUseError
from collector.store import errors
from tests.conftest import Command


def test_what_a_person_can_put_right_is_one_kind() -> None:
    """Whoever catches UserError catches ports in use and all errors of the store; each ends a command with 2."""
    kinds = [PortInUseError, StoreError, *StoreError.__subclasses__()]
    assert errors.Busy in kinds
    assert all(issubclass(kind, UserError) and kind.exit_code == 2 for kind in kinds)


@pytest.mark.parametrize(
    "arguments", [("runs", "--store", "nowhere.duckdb"), ("grade", "nowhere.yaml"), ("load", "no")]
)
def test_commands_end_with_the_message_alone(tracegrade: Command, arguments: tuple[str, ...]) -> None:
    """Exit code 2 and a text that names what is wrong, without a traceback."""
    done = tracegrade(*arguments)
    assert done.returncode == 2
    assert arguments[-1] in done.stderr
    assert "Traceback" not in done.stderr
