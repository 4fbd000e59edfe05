"""Rows of whole traces → trees of what agents did. Pure: the same trees for any order of arrival.

The way through: `reading` decodes rows into spans, `sight` lets every dialect that claims a span speak about it,
`assemble.build` makes the trees, `rows` lays them out as the canonical tables.
"""

import gc
from collections.abc import Generator, Mapping
from contextlib import contextmanager

import pyarrow as pa

from collector.normalize.assemble.build import build as _assemble
from collector.normalize.assemble.joins import Reference
from collector.normalize.dialect import Sighting
from collector.normalize.reading import Span, read
from collector.normalize.rows import Built, lay_out
from collector.normalize.sight import sight
from collector.normalize.versions import VERSIONS
from collector.tree import Run

__all__ = ["Built", "Reference", "build", "trees"]


def trees(spans: pa.Table, logs: pa.Table) -> list[Run]:
    """The runs of whole traces (rows of the views `spans` and `logs`), joined where the traces themselves say so."""
    with _without_collection():
        return _assemble(_sighted(spans, logs))[0]


def build(spans: pa.Table, logs: pa.Table, versions: Mapping[str, str] = VERSIONS) -> Built:
    """The same, as rows of the canonical tables, with what each trace offers to and wants from others.

    `versions` are those of the parts that build, to be noted with what they built.
    """
    with _without_collection():
        return _build(
            spans, logs, versions
        )  # a call of its own: all that it made is gone before collection is on again


def _sighted(spans: pa.Table, logs: pa.Table) -> list[tuple[Span, Sighting]]:
    return [(span, sight(span)) for span in read(spans, logs)]


def _build(spans: pa.Table, logs: pa.Table, versions: Mapping[str, str]) -> Built:
    sighted = _sighted(spans, logs)
    runs, references = _assemble(sighted)
    spoke: dict[str, set[str]] = {span.trace_id: set() for span, _ in sighted}
    for span, said in sighted:
        spoke[span.trace_id].update(said.dialects)
    return lay_out(runs, references, spoke, versions)


@contextmanager
def _without_collection() -> Generator[None]:
    """No search for garbage meanwhile: what a build makes is in use to its end, and going through it took a fifth of the time.

    Nothing is left for a search afterwards: the assembler takes back what refers upwards (`build._untie`).
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
