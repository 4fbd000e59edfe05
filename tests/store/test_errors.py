"""Errors of the store."""

import pytest

from collector.errors import UserError
from collector.store import errors


@pytest.mark.parametrize("kind", errors.StoreError.__subclasses__())
def test_every_error_is_for_people(kind: type[errors.StoreError]):
    """Each can end a command with its own words, and the transient ones say when to come again."""
    error = kind(1.0) if kind is errors.Busy else kind("words")
    assert isinstance(error, UserError)
    assert str(error)
    assert hasattr(error, "retry_after") == (kind in (errors.Busy, errors.Unavailable))
