"""The store as others see it."""

import inspect

import pytest

from collector.answer.local import LocalStore
from collector.answer.remote import RemoteStore
from collector.store.protocol import Store


@pytest.mark.parametrize("kind", [LocalStore, RemoteStore])
def test_both_stores_have_the_same_methods(kind: type):
    """A store behind an address takes the very calls that an open file takes."""
    for name in ("query", "sql", "settle", "append", "close"):
        ours, theirs = inspect.signature(getattr(Store, name)), inspect.signature(getattr(kind, name))
        assert list(ours.parameters) == list(theirs.parameters)
