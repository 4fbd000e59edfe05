"""`python -m tests.conformance [URL] [--grpc HOST:PORT] [--token TOKEN] [--json] [--short] [--only C-01,H-13]`.

URL is where OTLP/HTTP is taken, as http://127.0.0.1:4318; without one a collector of our own is started and asked, whose
inside can be seen. The rows: item, way, level, outcome, and one line why. Exit code 1: a MUST or a SHOULD failed.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.conformance.checklist import ITEMS
from tests.conformance.item import Result, result
from tests.conformance.ours import ours
from tests.conformance.target import Target


@contextmanager
def endpoint(asked: argparse.Namespace) -> Generator[Target]:
    """What is asked: the endpoint at the URL, or one of our own."""
    if asked.url is None:
        with tempfile.TemporaryDirectory() as folder, ours(Path(folder)) as own:
            yield own
        return
    target = Target(asked.url, asked.grpc, asked.token)
    yield target
    target.close()


def looked_at(of: Target, asked: argparse.Namespace) -> Iterator[Result]:
    """The results, one after the other."""
    chosen = set(filter(None, asked.only.split(",")))
    for item in ITEMS:
        if (item.number in chosen or not chosen) and not (asked.short and item.long):
            yield from (result(item, way, of) for way in item.ways)


def main(arguments: list[str] | None = None) -> int:
    """Print the table; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance")
    parser.add_argument("url", nargs="?", help="of OTLP/HTTP; without it a collector of our own is started")
    parser.add_argument("--grpc", help="host:port of OTLP/gRPC (without TLS)")
    parser.add_argument("--token", help="sent as a bearer token")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--short", action="store_true", help="without what takes long")
    parser.add_argument("--only", default="", help="items, separated by commas")
    asked = parser.parse_args(arguments)
    found = []
    with endpoint(asked) as of:
        for row in looked_at(of, asked):
            found.append(row)
            item = row.item
            if asked.json:
                told = {"item": item.number, "way": row.way, "level": item.level, "outcome": row.outcome}
                print(json.dumps({**told, "demand": item.text, "why": row.why}), flush=True)
            else:
                why = row.why or item.text
                print(f"{item.number}  {row.way:4}  {item.level:6}  {row.outcome:14}  {why}", flush=True)
    bad = sum(row.bad for row in found)
    if not asked.json:
        outcomes = [row.outcome for row in found]
        counts = ", ".join(f"{outcomes.count(o)} {o}" for o in ("pass", "fail", "not observable"))
        print(f"{counts}; {bad} of the failures are about a MUST or a SHOULD")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
