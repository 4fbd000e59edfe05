"""The text that Prometheus reads (exposition format 0.0.4): HELP and TYPE once a metric, then a line a sample."""

from collections.abc import Iterable, Mapping

from collector.measure.families import FAMILIES, Family
from collector.measure.tally import SECONDS, Labels, Times

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Value = float | Times | list[tuple[Labels, int]]
"""A number without labels, a histogram, or counts by the values of the labels."""


def page(values: Mapping[str, Value], families: Iterable[Family] = FAMILIES) -> bytes:
    """The page. `values` has one for each family, by name; a counter without any count yet is told by its head alone."""
    return "".join(line + "\n" for family in families for line in _lines(family, values[family.name])).encode()


def _lines(family: Family, value: Value) -> Iterable[str]:
    name = family.name
    yield f"# HELP {name} {_escaped(family.help)}"
    yield f"# TYPE {name} {family.kind}"
    if isinstance(value, Times):
        for bound, count in zip((*map(str, SECONDS), "+Inf"), (*value.within, value.count), strict=True):
            yield f'{name}_bucket{{le="{bound}"}} {count}'
        yield f"{name}_sum {value.seconds!r}"
        yield f"{name}_count {value.count}"
    elif isinstance(value, list):
        for labels, count in value:
            pairs = ",".join(
                f'{label}="{_escaped(text, quotes=True)}"' for label, text in zip(family.labels, labels, strict=True)
            )
            yield f"{name}{{{pairs}}} {count}" if pairs else f"{name} {count}"
    else:
        yield f"{name} {value!r}"


def _escaped(text: str, *, quotes: bool = False) -> str:
    text = text.replace("\\", r"\\").replace("\n", r"\n")
    return text.replace('"', r"\"") if quotes else text
