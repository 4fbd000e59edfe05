"""`python -m tests.fuzz.guided [--seconds N]`: decoding and inflating, in one process, led by coverage (atheris, extra `fuzz`).

The first byte of an input chooses the reader. A reader may refuse a body in its own words; any other exception, columns that
do not belong together, and spans that are read by column otherwise than one by one end the run with the input in a file.
Our code is imported under atheris's eyes, so that nothing of ours stands at the top of this file.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

READERS = {("traces", "protobuf"): 0, ("traces", "json"): 1, ("logs", "protobuf"): 2, ("logs", "json"): 3}
GZIP = 4

A_PROCESS = 240
"""Seconds of a process: under atheris it grows by 4 KB an input (to 2 GB in 510,000). The readers do not: over 105,000 inputs
without atheris they went from 108 to 126 MB, which are the resources that they remember (measured)."""


def input_of(body: Any) -> bytes:
    """A mutated body with the byte that chooses its reader."""
    return bytes([READERS[body.signal, body.form] | (GZIP if body.gzipped else 0)]) + body.raw


def read(data: bytes) -> None:
    """One input. Raises what should not happen."""
    from collector.decode import DecodeError, logs_json, logs_protobuf, traces_json, traces_protobuf
    from collector.receive.encoding import EncodingError, TooLarge, gunzip
    from tests.decode.columnar.compare import assert_same

    chosen, body = data[0] if data else 0, data[1:]
    try:
        raw = gunzip(body, lambda _size: True) if chosen & GZIP else body
        found = (traces_protobuf, traces_json, logs_protobuf, logs_json)[chosen & 3](raw)
    except (DecodeError, EncodingError, TooLarge):
        return
    assert {len(column) for column in found.columns.values()} <= {found.rows}
    assert len(found.keys) in {0, found.rows}
    assert found.delivered >= found.rows
    if chosen & 3 == READERS["traces", "protobuf"]:
        assert_same([raw])  # and reading by column gives the same, where it does not decline


def main() -> int:
    """Fuzz until time is up, a few minutes in a process: the next goes on with what the last one found worth keeping."""
    parser = argparse.ArgumentParser(description="Fuzz decoding and inflating, led by coverage.")
    parser.add_argument("--seconds", type=int, default=600, help="default 600")
    parser.add_argument("--only", action="store_true", help=argparse.SUPPRESS)  # this is one of the processes
    asked = parser.parse_args()
    if asked.only:
        fuzz(asked.seconds)
    for begin in range(0, asked.seconds, A_PROCESS):
        seconds = min(A_PROCESS, asked.seconds - begin)
        done = subprocess.run(
            [sys.executable, "-m", "tests.fuzz.guided", "--seconds", str(seconds), "--only"], check=False
        )
        if done.returncode:
            return done.returncode
    return 0


def fuzz(seconds: int) -> None:
    """Fuzz in this process; libFuzzer ends it."""
    try:
        import atheris  # ty: ignore[import-not-found] -- an extra
    except ImportError:
        sys.exit(
            "atheris is not installed. It comes with the extra `fuzz`: pip install -e '.[dev,fuzz]' (Linux, macOS)."
        )
    with atheris.instrument_imports(include=["collector"]):
        import collector.receive.encoding  # noqa: F401 -- to be instrumented
        from tests.fuzz import mutate
    corpus, found = Path(".fuzz/corpus"), Path(".fuzz/findings")
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    for number, body in enumerate(mutate.seeds()):
        (corpus / f"seed-{number}").write_bytes(input_of(body))
    limits = [f"-max_total_time={seconds}", "-max_len=65536", "-timeout=20", "-rss_limit_mb=2048"]
    atheris.Setup(
        [sys.argv[0], *limits, f"-artifact_prefix={found}/", str(corpus)],
        read,
        custom_mutator=lambda data, size, seed: _mutate(atheris, mutate, data, size, seed),
    )
    atheris.Fuzz()


def _mutate(atheris: Any, mutate: ModuleType, data: bytes, size: int, seed: int) -> bytes:
    """Half of the inputs by our own rules, which keep lengths right; the others by libFuzzer's."""
    return input_of(mutate.mutated(Random(seed)))[:size] if seed % 2 else atheris.Mutate(data, size)


if __name__ == "__main__":
    sys.exit(main())
