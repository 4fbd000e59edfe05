"""What is said to those who come while the store takes nothing."""

from pathlib import Path

import pytest

from collector.store.errors import NoSpace, Unavailable
from collector.store.file.space import Space
from collector.store.writing.door import Door, Matter

ROOM = Space(None)


@pytest.mark.parametrize(
    ("matter", "trouble"),
    [(Matter.STOPPING, "stopping"), (Matter.BROKEN, "reopening"), (Matter.EXCHANGE, "reopening")],
)
def test_each_reason_refuses_until_it_is_gone(matter: Matter, trouble: str):
    """Requests are refused as unavailable without the operator's details; the operator is told them."""
    door = Door(ROOM)
    assert (door.refusal(), door.why(), door.trouble()) == (None, None, None)
    door.shut(matter, "/secret/path is damaged")
    refusal = door.refusal()
    assert isinstance(refusal, Unavailable)
    assert str(refusal) == matter.value
    assert (door.why(), door.trouble()) == (f"{matter.value} /secret/path is damaged", trouble)
    door.open(matter)
    assert door.refusal() is None


def test_a_full_disk_is_named(tmp_path: Path):
    """Without room the refusal is retryable, and says how much is wanting."""
    door = Door(Space(tmp_path / "a", 1 << 60))
    assert isinstance(door.refusal(), NoSpace)
    assert door.trouble() == "disk_low"
    assert "MiB more must be free" in (door.why() or "")
