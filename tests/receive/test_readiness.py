"""Whether the collector is ready, and why it is not."""

from collector.receive.readiness import Readiness, Trouble


def test_without_trouble_it_is_ready() -> None:
    """No source, or sources that say nothing, mean ready."""
    assert Readiness().trouble() is None
    assert Readiness(lambda: None, lambda: None).trouble() is None


def test_the_first_trouble_is_told() -> None:
    """Of several troubles the one of the earliest source is named; when it is over the next one is."""
    found: list[Trouble] = ["reopening"]
    readiness = Readiness(lambda: None, lambda: found[0] if found else None, lambda: "disk_low")
    assert readiness.trouble() == "reopening"
    found.clear()
    assert readiness.trouble() == "disk_low"
