"""OTLP in files, for `load` and `trees`.

- `*.pb`: one protobuf request; the signal by name: `*.logs.pb`, `*.metrics.pb`, else traces
- `*.json`, `*.jsonl`: one JSON request, or one a line as the OpenTelemetry Collector's file exporter writes them; the
  signal by content
- each also as `.gz`

A folder is walked in sorted order. What is no OTLP there is passed over with a note; a file named by itself must be OTLP.
"""

import gzip
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal, cast

from collector.decode import Decoded, DecodeError, logs_protobuf, traces_protobuf
from collector.decode.from_json import logs_object, traces_object
from collector.decode.json_text import parse

_SUFFIXES = (".pb", ".json", ".jsonl")
_EXPECTED = "expected *.pb, *.json or *.jsonl, each also as .gz"
_OBJECTS: dict[str, Callable[[dict[str, Any], bool], Decoded]] = {
    "resourceSpans": traces_object,
    "resourceLogs": logs_object,
    "resource_spans": traces_object,
    "resource_logs": logs_object,
}
_METRICS = {"resourceMetrics", "resource_metrics"}


@dataclass(frozen=True, slots=True)
class Found:
    """A file to be read; `named` by the user, or met in a folder. `size` in bytes, as it lies on disk."""

    path: Path
    named: bool
    size: int


@dataclass(frozen=True, slots=True)
class Batch:
    """One request of a file, which may hold several: its rows, and the body that they were read from."""

    path: Path
    decoded: Decoded
    body: bytes
    form: Literal["protobuf", "json"]
    place: str = ""


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file, or part of one, that holds nothing for us."""

    path: Path
    note: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that cannot be read, or not to its end. `place` is where in it (`line 7`), or empty."""

    path: Path
    message: str
    place: str = ""

    def __str__(self) -> str:
        """For a person."""
        return f"{self.path}{', ' if self.place else ''}{self.place}: {self.message}"


Outcome = Batch | PassedOver | Unreadable


def find(paths: Iterable[str | Path]) -> Iterator[Found]:
    """All files under the paths, folders in sorted order. A path that does not exist is found too, and unreadable."""
    for path in map(Path, paths):
        if not path.is_dir():
            yield Found(path, named=True, size=_size(path))
            continue
        for folder, folders, names in os.walk(path):
            folders.sort()
            for name in sorted(names):
                met = Path(folder, name)
                yield Found(met, named=False, size=_size(met))


def read(found: Found) -> Iterator[Outcome]:
    """What a file holds. Batches that come before a fault are good and count."""
    name = found.path.name.removesuffix(".gz")
    try:
        if not name.endswith(_SUFFIXES):
            yield _foreign(found, _EXPECTED)
        elif name.endswith(".pb"):
            yield _read_protobuf(found, name)
        else:
            yield from _read_json(found)
    except (OSError, EOFError, zlib.error) as problem:
        yield Unreadable(found.path, _words(problem))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _open(path: Path) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path)) if path.suffix == ".gz" else path.open("rb")


def _words(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror.lower()
    return "the gzip file is damaged or ends too early"


def _foreign(found: Found, expected: str) -> Outcome:
    if found.named:
        message = "no such file" if not found.path.exists() else f"this is not OTLP; {expected}"
        return Unreadable(found.path, message)
    return PassedOver(found.path, "not OTLP")


def _read_protobuf(found: Found, name: str) -> Outcome:
    if name.endswith(".metrics.pb"):
        return PassedOver(found.path, "metrics are not kept")
    with _open(found.path) as file:
        body = file.read()
    try:
        decoded = logs_protobuf(body) if name.endswith(".logs.pb") else traces_protobuf(body)
    except DecodeError as problem:
        return Unreadable(found.path, str(problem))
    return Batch(found.path, decoded, body, "protobuf")


def _read_json(found: Found) -> Iterator[Outcome]:
    """Line by line; where the first line alone is no JSON, the whole file is one request."""
    with _open(found.path) as file:
        first = next((line for line in file if line.strip()), b"")
        try:
            parse(first)
        except DecodeError:
            yield _read_one(found, first + file.read())
            return
        metrics, number = 0, 0
        for number, line in enumerate(_chain(first, file), 1):
            if not line.strip():
                continue
            outcome = _read_line(found, line, number)
            metrics += outcome is None
            if outcome is not None:
                yield outcome
            if isinstance(outcome, PassedOver | Unreadable):
                return
    if metrics:
        yield PassedOver(found.path, f"metrics are not kept ({metrics} of {number} requests)")


def _chain(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _read_line(found: Found, line: bytes, number: int) -> Outcome | None:
    """One request; None for metrics. In an OTLP file every line must be OTLP; what is none is known by its first line."""
    try:
        request, repaired = parse(line)
        decoded = _decode(request, repaired=repaired)
    except DecodeError as problem:
        return Unreadable(found.path, str(problem), f"line {number}")
    except KeyError:
        if number == 1:
            return _foreign(found, "expected an object with resourceSpans or resourceLogs")
        return Unreadable(found.path, "this is not OTLP; expected resourceSpans or resourceLogs", f"line {number}")
    return None if decoded is None else Batch(found.path, decoded, line, "json", f"line {number}")


def _read_one(found: Found, body: bytes) -> Outcome:
    try:
        request, repaired = parse(body)
        decoded = _decode(request, repaired=repaired)
    except DecodeError as problem:
        if not found.named and body.lstrip()[:1] == b"[":
            return PassedOver(found.path, "not OTLP")
        return Unreadable(found.path, str(problem))
    except KeyError:
        return _foreign(found, "expected an object with resourceSpans or resourceLogs")
    if decoded is None:
        return PassedOver(found.path, "metrics are not kept")
    return Batch(found.path, decoded, body, "json")


def _decode(request: dict[str, Any], *, repaired: bool) -> Decoded | None:
    """Rows; None for metrics. Raises KeyError for an object that is not OTLP, DecodeError for bad OTLP."""
    for name in request:
        if name in _OBJECTS:
            return _OBJECTS[name](request, repaired)
    if _METRICS.isdisjoint(request):
        raise KeyError
    return None
