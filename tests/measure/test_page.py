"""The text that Prometheus reads, as its own parser reads it."""

from prometheus_client.parser import text_string_to_metric_families

from collector.measure.families import Family
from collector.measure.page import Value, page
from collector.measure.tally import SECONDS, Clocked

COUNTED = Family("a_total", "counter", ("kind", "reason"), "What came.")
GAUGE = Family("b_bytes", "gauge", (), "Bytes.\nA second \\ line.")
TIMED = Family("c_seconds", "histogram", (), "Times.")


def read(values: dict[str, Value], *families: Family) -> dict[tuple[str, tuple[str, ...]], float]:
    """The samples of a page by name and the values of their labels."""
    found = {}
    for family in text_string_to_metric_families(page(values, families).decode()):
        for sample in family.samples:
            key = sample.name, tuple(sample.labels.values())
            assert key not in found
            found[key] = sample.value
    return found


def test_each_kind_is_read_back():
    """Counters by labels, numbers and histograms come back from the parser as they were."""
    clocked = Clocked()
    clocked.add(0.02)
    values: dict[str, Value] = {
        "a_total": [(("spans", "x"), 3), (("logs", "x"), 0)],
        "b_bytes": 1.5,
        "c_seconds": clocked.now(),
    }
    found = read(values, COUNTED, GAUGE, TIMED)
    assert found["a_total", ("spans", "x")] == 3
    assert found["a_total", ("logs", "x")] == 0
    assert found["b_bytes", ()] == 1.5
    assert found["c_seconds_bucket", ("0.01",)] == 0
    assert (
        found["c_seconds_bucket", ("0.025",)]
        == found["c_seconds_bucket", ("+Inf",)]
        == found["c_seconds_count", ()]
        == 1
    )
    assert found["c_seconds_sum", ()] == 0.02
    assert len([name for name, _ in found if name == "c_seconds_bucket"]) == len(SECONDS) + 1


def test_heads_come_once_and_first():
    """HELP and TYPE stand once before the samples of each metric, also of one that has none yet."""
    lines = page({"a_total": [], "b_bytes": 1}, (COUNTED, GAUGE)).decode().splitlines()
    assert lines == [
        "# HELP a_total What came.",
        "# TYPE a_total counter",
        r"# HELP b_bytes Bytes.\nA second \\ line.",
        "# TYPE b_bytes gauge",
        "b_bytes 1",
    ]


def test_labels_cannot_break_a_line():
    """Quotes, backslashes and line ends in a label's value are escaped, and read back as they were."""
    odd = 'a"b\\c\nd'
    assert read({"a_total": [((odd, "x"), 1)]}, COUNTED) == {("a_total", (odd, "x")): 1}
