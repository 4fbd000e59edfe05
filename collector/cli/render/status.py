"""How a collector does, a fact a line for people."""

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Any

from rich.text import Text

from collector.cli.render.text import duration
from collector.measure.rates import SPAN
from collector.printable import clean

_WIDTH = 16
_DAY, _HOUR, _MINUTE = 86_400, 3_600, 60


def lines(found: Mapping[str, Any]) -> Iterator[Text]:
    """The lines for what `cli.standing` found."""
    collector, held = found["collector"], found["store"]
    for label, said in (
        *(_collector(collector) if collector else _nobody()),
        *_store(found["place"], held, collector),
        *(_flow(collector) if collector else ()),
    ):
        yield Text().append(label.ljust(_WIDTH), "bold").append(clean(said))


def _nobody() -> Iterator[tuple[str, str]]:
    yield "collector", "none runs for this store"


def _collector(now: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    state = "takes data" if now["ready"] else f"takes no data now: {now['trouble'].replace('_', ' ')}"
    yield "collector", f"process {now['pid']}, since {_moment(now['started'])} ({_length(now['seconds'])}); {state}"
    where = now["listens"]
    names = (("grpc", "OTLP/gRPC"), ("http", "OTLP/HTTP"), ("reads", "reads"))
    yield "listens", ", ".join(f"{title} {where[name]}" for name, title in names if name in where)


def _store(place: str, held: Mapping[str, Any], now: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    sizes = now["file_bytes"] if now else held.get("file_bytes", {})
    files = [f"{_bytes(size)}{'' if name == 'store' else f' of {name}'}" for name, size in sizes.items() if size]
    yield "store", ", ".join([place, *files])
    counts = ("spans", "logs", "traces", "runs")
    holds = [f"{held[name]:,} {name}" for name in counts]
    yield "holds", ", ".join(holds) + (f" ({held['open_runs']:,} open)" if held["open_runs"] else "")
    last = held["last_commit"]
    yield "last commit", "none yet" if last is None else f"{last[:19]} UTC"
    waiting = held["waiting_traces"]
    behind = f", the oldest for {_length(now['lag_seconds'])}" if now and waiting else ""
    yield "waiting", f"{waiting:,} trace{'' if waiting == 1 else 's'} for their trees{behind}"


def _flow(now: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    over = now["per_second_over"]
    title = "last minute" if over > SPAN / 2 else f"last {over:.0f} s"
    rates = [f"{now['per_second'][name]:,.1f} {name}/s" for name in ("spans", "logs", "requests")]
    yield title, ", ".join(rates)
    for label in ("received", "stored", "duplicate", "put_off"):
        yield label.replace("_", " "), ", ".join(f"{now[label][kind]:,} {kind}" for kind in ("spans", "logs"))
    refused = [f"{n:,} {words}" for words, n in now["refused"].items()]
    yield "refused", ", ".join(refused) or "0"
    if now["credentials_refused"]:
        denied = [f"{n:,} {words}" for words, n in now["credentials_refused"].items()]
        yield "no valid token", ", ".join(denied)
    taken = f"{_bytes(now['in_flight_bytes'])} in flight, {now['queue_requests']:,} requests queued"
    mean = "" if now["commit_seconds"] is None else f", {duration(now['commit_seconds'] * 1e9)} each on average"
    failed = f", {now['commit_failures']:,} failed" if now["commit_failures"] else ""
    early = f", {now['spooled']:,} requests answered before theirs" if now["spooled"] else ""
    yield "commits", f"{now['groups']:,} groups{mean}{failed}{early}; {taken}"
    checkpoint = now["last_checkpoint"]
    yield "last checkpoint", "none since the start" if checkpoint is None else _moment(checkpoint)
    if now["statements"]:
        yield "free SQL", ", ".join(f"{n:,} {word}" for word, n in now["statements"].items())


def _moment(seconds: float) -> str:
    """A Unix time as people read it, in UTC."""
    return f"{dt.datetime.fromtimestamp(seconds, dt.UTC):%Y-%m-%d %H:%M:%S} UTC"


def _length(seconds: float) -> str:
    if seconds >= _DAY:
        return f"{int(seconds // _DAY)} d {int(seconds % _DAY // _HOUR)} h"
    return (
        f"{int(seconds // _HOUR)} h {int(seconds % _HOUR // _MINUTE)} min"
        if seconds >= _HOUR
        else duration(seconds * 1e9)
    )


def _bytes(size: float) -> str:
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:  # noqa: PLR2004 -- the next unit
            return f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"
