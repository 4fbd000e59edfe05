"""Resources and scopes of many bodies."""

import numpy as np
import pytest

from collector.decode.columnar import groups
from collector.decode.decoded import DecodeError
from tests.decode.samples import request, span

ONE, OTHER = (request(span(), span(), resource={"service.name": name}).SerializeToString() for name in ("a", "b"))


def test_places_of_one_group_share_it():
    """Three bodies of two services have two groups; each span knows its place, each place its body."""
    held = groups.read([ONE, OTHER, ONE])
    assert [group.values[-1] for group in held.groups] == ["a", "b"]
    assert (held.at.tolist(), held.owner.tolist()) == ([0, 1, 0], [0, 1, 2])
    assert held.place.tolist() == [0, 0, 1, 1, 2, 2]


def test_columns_repeat_what_is_shared():
    """Each row has its group's values."""
    columns = groups.read([ONE, OTHER]).columns(np.array([1, 0, 1]))
    assert columns["service_name"].to_pylist() == ["b", "a", "b"]


def test_a_resource_without_scopes_must_be_whole():
    """A corrupt resource is an error although no row would have it."""
    resource = b"\x0a\x02\x0a\x7f"
    with pytest.raises((DecodeError, ValueError)):
        groups.read([b"\x0a" + bytes([len(resource)]) + resource])


def test_few_groups_are_remembered(monkeypatch: pytest.MonkeyPatch):
    """However many resources come, memory for them is bounded; large ones are not kept at all."""
    monkeypatch.setattr(groups, "_KEPT", 4)
    monkeypatch.setattr(groups, "_known", {})
    for number in range(20):
        groups.read([request(span(), resource={"n": number}).SerializeToString()])
        assert len(groups._known) <= 4
    kept = len(groups._known)
    groups.read([request(span(), resource={"n": "x" * 10_000}).SerializeToString()])
    assert len(groups._known) == kept
