"""Spans acknowledged per second by a real collector: `python -m tests.bench.ingest`."""

import tempfile
import time
from collections.abc import Iterator

import pyarrow as pa

from collector.answer.open_store import connect
from collector.decode import traces_protobuf
from collector.decode.columns import SPANS
from collector.store.file.database import Database
from tests.bench.bodies import requests
from tests.bench.clients import deliver
from tests.bench.report import Figure, arguments, show
from tests.bench.server import Server, serving

STEP = 0.01
"""Seconds: what processor time is counted in, and so the least that is told."""


def figures(spans: int, small: int, pause: int) -> Iterator[Figure]:
    """Both protocols with large requests and with single spans, then the cost of building trees meanwhile."""
    large = list(requests(spans, 512))
    single = list(requests(small, 1, seed=2))
    yield floor(large, spans)
    for protocol in ("http", "grpc"):
        for connections in (4, 16):
            name = f"{protocol}, 512 spans a request, {connections} connections"
            yield measure(name, protocol, large, spans, connections=connections)
        for connections in (8, 64):
            name = f"{protocol}, 1 span a request, {connections} connections"
            yield measure(name, protocol, single, small, connections=connections)
    for trees in (True, False):
        name = f"http, 512 spans a request, trees {'on' if trees else 'off'}, paced over {3 * pause} s"
        yield measure(name, "http", large, spans, connections=4, trees=trees, parts=4, pause=pause)


def floor(bodies: list[bytes], spans: int) -> Figure:
    """What the database alone takes: the same rows, ready in an Arrow table, in one INSERT by one thread, durable."""
    schema = pa.schema(list(SPANS.items()))
    columns = [traces_protobuf(body).columns for body in bodies]
    rows = pa.table({name: [v for c in columns for v in c[name]] for name in SPANS}, schema=schema)
    rows = rows.append_column("commit_row", pa.array(range(spans), pa.uint32()))
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"{folder}/floor.duckdb")
        cursor = database.cursor()
        cursor.execute("SET threads = 1")
        cursor.register("incoming", rows)
        begin = time.perf_counter()
        cursor.execute("INSERT INTO evidence.spans BY NAME SELECT 1 AS commit_seq, * FROM incoming")
        took = time.perf_counter() - begin
        cursor.close()
        database.close()
    return {"bench": "the floor: one INSERT of the same rows, one thread", "spans/s": spans / took, "spans": spans}


def measure(
    name: str, protocol: str, bodies: list[bytes], spans: int, *, connections: int, trees: bool = False, parts: int = 1,
    pause: int = 0,
) -> Figure:  # fmt: skip
    """One collector, all bodies. Between several parts are pauses (seconds), in which traces fall silent and get trees.

    It is warm: first each connection had one request, by which libraries are loaded and the file is laid out.
    """
    with serving(trees=trees) as server:
        first = list(requests(connections * (spans // len(bodies)), spans // len(bodies), seed=3))
        deliver(protocol, _address(server, protocol), first, connections)
        seconds, processor, refused, behind = 0.0, 0.0, 0, 0.0
        for part in range(parts):
            if part:
                time.sleep(pause)
            before = server.processor_seconds()
            took, again = deliver(protocol, _address(server, protocol), bodies[part::parts], connections)
            behind += _catching_up(server)
            processor += server.processor_seconds() - before
            seconds, refused = seconds + took, refused + again
    size = sum(map(len, bodies))
    return {
        "bench": name,
        "spans/s": spans / seconds,
        "committed spans/s": spans / (seconds + behind),
        "spans/server CPU s": spans / max(processor, STEP),
        "MB/s": size / seconds / 1e6,
        "spans": spans,
        "bytes/span": size // spans,
        "sent again": refused,
        "peak MiB": server.peak_mib["server"],
        "worker peak MiB": server.peak_mib["worker"],
    }


def _catching_up(server: Server) -> float:
    """Seconds until all that was answered is in the database, where a reader finds it: in a burst some is beside it first."""
    began = time.perf_counter()
    with connect(server.store) as reader:
        reader.query("status")
    return time.perf_counter() - began


def _address(server: Server, protocol: str) -> tuple[str, int]:
    return server.http if protocol == "http" else server.grpc


if __name__ == "__main__":
    options = arguments(__doc__ or "", spans=204_800, small=16_000, pause=1)
    show(figures(options.spans, options.small, options.pause), as_json=options.json)
