"""Rows of whole traces → trees of what agents did. Pure: the same trees for any order of arrival.

The way through: `reading` decodes rows into spans, `sight` lets every dialect that claims a span speak about it,
`assemble.build` makes the trees, `rows` lays them out as the canonical tables.
"""

from collections.abc import Mapping

import pyarrow as pa

from collector.normalize.assemble.build import build as _assemble
from collector.normalize.assemble.joins import Reference
from collector.normalize.reading import read
from collector.normalize.rows import Built, lay_out
from collector.normalize.sight import sight
from collector.normalize.versions import VERSIONS
from collector.tree import Run

__all__ = ["Built", "Reference", "build", "trees"]


def trees(spans: pa.Table, logs: pa.Table) -> list[Run]:
    """The runs of whole traces (rows of the views `spans` and `logs`), joined where the traces themselves say so."""
    return _assemble([(span, sight(span)) for span in read(spans, logs)])[0]


def build(spans: pa.Table, logs: pa.Table, versions: Mapping[str, str] = VERSIONS) -> Built:
    """The same, as rows of the canonical tables, with what each trace offers to and wants from others.

    `versions` are those of the parts that build, to be noted with what they built.
    """
    sighted = [(span, sight(span)) for span in read(spans, logs)]
    runs, references = _assemble(sighted)
    spoke: dict[str, set[str]] = {span.trace_id: set() for span, _ in sighted}
    for span, said in sighted:
        spoke[span.trace_id].update(said.dialects)
    return lay_out(runs, references, spoke, versions)
