"""The reading of docker/'s files."""

import pytest

from tests.docker.files import check_keys, steps


def test_steps_are_whole_instructions():
    """Lines that go on are one instruction, comments are none, and stages are counted."""
    found = steps()
    assert found[0].name == "FROM"
    assert {step.stage for step in found} == {0, 1}
    assert {step.name for step in found} <= {
        *("FROM", "ARG", "WORKDIR", "RUN", "COPY", "USER", "ENV", "VOLUME", "EXPOSE", "STOPSIGNAL"),
        *("HEALTHCHECK", "ENTRYPOINT", "CMD"),
    }


def test_an_unknown_key_is_found():
    """A misspelt key fails with its place, at any depth."""
    check_keys({"a": {"x": {"b": 1}}}, {"a": {"*": {"b": None}}})
    with pytest.raises(AssertionError, match="/a/x: c is no key here"):
        check_keys({"a": {"x": {"c": 1}}}, {"a": {"*": {"b": None}}})
