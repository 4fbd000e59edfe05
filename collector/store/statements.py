"""The fixed SQL statements: one file each in `queries/`, named by its path, bound by `$name`.

The list below and the files must agree both ways; a stray or a missing file stops the program at the first use.
"""

import functools
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from collector.store.errors import NotAStore, UnknownQuery
from collector.store.extension import Extension

FOLDER = Path(__file__).parent / "queries"

WRITES = (
    "write/arrivals",
    "write/commit",
    "write/superseded",
    "write/batch",
    "write/tombstones",
    "write/quarantine",
    "ledger/note",
)
"""Statements of the writer, besides the rows themselves (`inserting`)."""

INTERNAL = (
    "identity/seen_spans",
    "identity/seen_logs",
    "identity/stored_spans",
    "identity/stored_logs",
    "ledger/last_commit",
    "ledger/size",
    "ledger/missing",
    "ledger/missing_of",
    "ledger/last_build",
    "ledger/batch_known",
    "ledger/tables",
    "ledger/about",
    "settle/dirty",
    "settle/members",
    "settle/newest_runs",
    "settle/arrived",
    "settle/resolve",
    "settle/resolve_beginning",
    "settle/aliases",
    "settle/references",
    "settle/normalizers",
    "settle/built",
    "settle/known",
    "care/traces",
    "care/members",
    "care/runs",
    "care/commit_before",
    "care/conversation",
    "care/conversation_logs",
    "care/held",
    "care/shared_conversations",
    "care/filled",
    "care/tombstones",
    "care/physical",
    "keep/spans",
    "keep/logs",
    "keep/arrivals",
    "keep/superseded",
    "keep/commits",
    "keep/builds",
    "keep/references",
    "keep/replaced",
)
"""Reads of the writer and of the settler."""

CHECKS = (
    "check/ledger",
    "check/rows",
    "check/revisions",
    "check/arrivals",
    "check/sample",
    "check/by_filter",
    "check/by_scan",
    "check/tables",
)
"""Reads of `tracegrade check`."""

BUILDING = (
    "identity/bounds",
    "settle/sizes",
    "settle/spans",
    "settle/logs",
    "settle/neighbours",
    "settle/outdated",
)
"""Reads of the settler that are offered, too: whoever builds trees elsewhere, to compare, needs them."""

READS = (
    "runs",
    "run",
    "run_beginning",
    "trees",
    "messages",
    "trace_spans",
    "status",
    "captures",
    "services",
    "digests",
    "trees_of",
    *BUILDING,
)
"""What `Store.query` offers by name."""


def _without_comments(sql: str) -> str:
    return re.sub(r"'(?:[^']|'')*'|--[^\n]*", lambda m: "''" if m[0][0] == "'" else "", sql)


def parameters(sql: str) -> frozenset[str]:
    """The names that a statement binds with `$`."""
    return frozenset(re.findall(r"\$([a-z_][a-z_0-9]*)", _without_comments(sql)))


@functools.cache
def load() -> Mapping[str, str]:
    """All our statements by name. Raises RuntimeError where list and files disagree."""
    files = {p.relative_to(FOLDER).with_suffix("").as_posix(): p for p in FOLDER.rglob("*.sql")}
    listed = {*WRITES, *INTERNAL, *CHECKS, *READS}
    if stray := sorted(files.keys() ^ listed):
        raise RuntimeError(f"collector/store/statements.py and collector/store/queries disagree about {stray}")
    return MappingProxyType({name: path.read_text("utf-8") for name, path in files.items()})


def readable(extensions: Iterable[Extension] = ()) -> Mapping[str, str]:
    """The statements that `Store.query` offers: ours, and those of the extensions."""
    ours = load()
    offered = {name: ours[name] for name in READS}
    for extension in extensions:
        if taken := sorted(offered.keys() & extension.queries.keys()):
            raise NotAStore(f"The extension {extension.name} names queries that exist already: {', '.join(taken)}.")
        offered.update(extension.queries)
    return MappingProxyType(offered)


def bind(sql: str, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters of a statement, NULL where none is given. Raises UnknownQuery for one that it does not have."""
    wanted = parameters(sql)
    if unknown := sorted(given.keys() - wanted):
        raise UnknownQuery(f"The query {name} has no parameter {unknown[0]}; it has {', '.join(sorted(wanted))}.")
    return {key: given.get(key) for key in wanted}
