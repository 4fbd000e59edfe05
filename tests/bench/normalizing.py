"""Spans made into trees per second on one core, without a store: `python -m tests.bench.normalizing`."""

import resource
import time
from collections.abc import Iterator

import pyarrow as pa

from collector import normalize
from collector.decode import traces_protobuf
from collector.decode.columns import LOGS, SPANS
from tests import captures
from tests.bench.bodies import requests
from tests.bench.report import Figure, arguments, show

BATCH = 4096
"""Spans that the settler hands over at once, whole traces."""


def figures(spans: int) -> Iterator[Figure]:
    """Decoding, then normalizing, each timed alone."""
    bodies = list(requests(spans, BATCH))
    begin = time.perf_counter()
    decoded = [traces_protobuf(body) for body in bodies]
    yield {"bench": "decode protobuf", "spans/s": spans / (time.perf_counter() - begin), "spans": spans}
    schema = pa.schema(list(SPANS.items()))
    tables = [pa.table(d.columns, schema=schema) for d in decoded]
    none = pa.table({name: [] for name in LOGS}, schema=pa.schema(list(LOGS.items())))
    begin = time.process_time()
    runs = sum(normalize.build(table, none).tables["runs"].num_rows for table in tables)
    took = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield {"bench": "normalize", "spans/s": spans / took, "runs/s": runs / took, "runs": runs, "peak MiB": peak}
    yield recorded(max(1, spans // 2_000))


def recorded(passes: int) -> Figure:
    """All recorded captures of `tests/data` in one batch, of some 50 frameworks, over and over after a pass to warm up."""
    loaded = [captures.load(name) for name in captures.NAMES]
    spans = pa.concat_tables([capture.spans for capture in loaded]).combine_chunks()
    logs = pa.concat_tables([capture.logs for capture in loaded]).combine_chunks()
    normalize.build(spans, logs)
    rates: list[float] = []
    for _ in range(passes):
        begin = time.process_time()
        normalize.build(spans, logs)
        rates.append(spans.num_rows / (time.process_time() - begin))
    rates.sort()
    return {
        "bench": "normalize, recorded captures", "spans/s": rates[len(rates) // 2], "best": rates[-1], "worst": rates[0],
        "spans": spans.num_rows, "captures": len(loaded),
    }  # fmt: skip


if __name__ == "__main__":
    options = arguments(__doc__ or "", spans=40_960)
    show(figures(options.spans), as_json=options.json)
