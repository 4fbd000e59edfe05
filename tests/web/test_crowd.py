"""Who is connected."""

from collector.web.crowd import Crowd
from collector.web.messages import Limits


class Guest:
    """A connection."""

    def check(self, now: float) -> None:
        """Nothing is wrong with it."""


def test_places_are_limited_for_all_and_for_each_address() -> None:
    """One too many of either is not let in, and a place that is left can be taken."""
    crowd = Crowd[Guest](limits=Limits(connections=3, peer_connections=2))
    a, b, c, d = Guest(), Guest(), Guest(), Guest()
    assert [crowd.enter(a, "x"), crowd.enter(b, "x"), crowd.enter(c, "x"), crowd.enter(c, "y")] == [
        True,
        True,
        False,
        True,
    ]
    assert not crowd.enter(d, "z")
    crowd.leave(a, "x")
    assert crowd.enter(d, "x")
    for guest, peer in ((b, "x"), (c, "y"), (d, "x"), (a, "x")):  # the last was never there
        crowd.leave(guest, peer)
    assert (crowd.connections, dict(crowd.peers)) == (set(), {})


def test_nobody_comes_in_at_the_end() -> None:
    """While the server stops."""
    assert not Crowd[Guest](limits=Limits(), stopping=True).enter(Guest(), "x")
