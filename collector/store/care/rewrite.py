"""The store's file written anew without what is to go: the only way to free its blocks and to erase what stood in them (D-10).

DELETE and CHECKPOINT leave the bytes in the file. So what stays is copied into a new file beside it, that file is made
durable and takes the old one's name in one step. Whenever the process or the machine dies, the store is the old one or the new
one, whole; a new file that was left half done is removed when the store is opened next (`sweep`).
"""

import shutil
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import duckdb

from collector.store import statements
from collector.store.care.doomed import Doomed
from collector.store.errors import Unavailable
from collector.store.extension import Extension, Quotes
from collector.store.file.database import private_files
from collector.store.file.disk import durable
from collector.store_files import ASIDE, LOG, beside

SUFFIX = ".rewrite"
DELETED = "(deleted)"
"""Stands in place of sentences about runs that are gone."""

_KEPT: dict[str, str] = {
    "evidence.spans": "keep/spans",
    "evidence.logs": "keep/logs",
    "evidence.arrivals": "keep/arrivals",
    "evidence.superseded": "keep/superseded",
    "evidence.commits": "keep/commits",
    "canonical.builds": "keep/builds",
    "canonical.references": "keep/references",
    "canonical.replaced": "keep/replaced",
}
"""Tables with a statement of their own for what stays."""

_DAY = 86_400 * 10**9
_WHOLE = frozenset({"canonical.normalizers"})


@dataclass(frozen=True)
class Sizes:
    """The file before and after, in bytes."""

    before: int
    after: int


def rewrite(path: Path, doomed: Doomed, extensions: Sequence[Extension], memory: int) -> Sizes:
    """Write the closed store at `path` anew. Raises Unavailable where there is no room, and the old file stays."""
    draft = beside(path, SUFFIX)
    sweep(path)
    before = path.stat().st_size
    try:
        with private_files():
            _copy(path, draft, doomed, extensions, memory)
        after = draft.stat().st_size
        replace(draft, path)
    except duckdb.IOException as error:
        sweep(path)
        raise Unavailable(f"The store could not be rewritten: {str(error).splitlines()[0]}") from None
    except OSError as error:
        sweep(path)
        raise Unavailable(f"The store could not be rewritten: {error.strerror}.") from None
    return Sizes(before, after)


def replace(draft: Path, path: Path) -> None:
    """Make a finished file durable and give it the closed store's name, in one step. Raises Unavailable, and OSError."""
    log = beside(path, LOG)
    if log.exists() and log.stat().st_size:
        raise Unavailable("The store's log could not be moved into its file; try again later.")
    durable(draft)
    log.unlink(missing_ok=True)  # empty; it would be read as the new file's
    draft.replace(path)
    durable(path.parent)


def sweep(path: Path) -> None:
    """Remove what a rewrite that was cut short left. The store must be open here or closed for all."""
    shutil.rmtree(beside(path, SUFFIX + ASIDE), ignore_errors=True)
    for left in list(path.parent.iterdir()):
        if left.name.startswith(path.name + SUFFIX):
            left.unlink()


def kept(
    table: str,
    columns: Collection[str],
    quotes: Mapping[str, Quotes],
    since: Mapping[str, tuple[str, int]] = MappingProxyType({}),
) -> str:
    """The statement for the rows of a table (with these columns) that stay; its parameters are the fields of `Doomed`.

    `since` names, by table, the column of a time and the nanoseconds since 1970 before which rows go.
    """
    if table in since:
        column, start = since[table]
        return f'SELECT t.* FROM {table} t WHERE epoch_ns(t."{column}") >= {start:d}'  # noqa: S608 -- names of an extension
    if table in _KEPT:
        return statements.load()[_KEPT[table]]
    schema, _, name = table.partition(".")
    if schema == "canonical" and table not in _WHOLE:
        return f"""
            SELECT t.* FROM canonical."{name}" t
            ANTI JOIN canonical.replaced o ON o.run_id = t.run_id AND o.build = t.build
            ANTI JOIN (SELECT unnest($runs::VARCHAR[]) AS run_id) d ON d.run_id = t.run_id
        """  # noqa: S608 -- a table's own name
    if table in quotes:
        where, mark = quotes[table].where, f"'{DELETED}'"
        marks = {**dict.fromkeys(quotes[table].texts, mark), **dict.fromkeys(quotes[table].lists, f"[{mark}]")}
        if not marks:
            return f"SELECT t.* FROM {table} t WHERE ({where}) IS NOT TRUE"  # noqa: S608 -- an extension's own words
        told = ", ".join(
            f"CASE WHEN d.quoted AND {t} IS NOT NULL THEN {m} ELSE {t} END AS {t}" for t, m in marks.items()
        )
        return f"""
            SELECT d.* EXCLUDE (quoted) REPLACE ({told})
            FROM (SELECT t.*, ({where}) IS TRUE AS quoted FROM {table} t) d
        """  # noqa: S608 -- an extension's own words
    if schema == "evidence" and {"trace_id", "commit_seq"} <= set(columns):
        return f"""
            SELECT t.* FROM evidence."{name}" t
            ANTI JOIN (SELECT unnest($traces::VARCHAR[]) AS trace_id) d ON d.trace_id = t.trace_id
            WHERE t.trace_id IS NOT NULL OR t.commit_seq > $upto::UBIGINT
        """  # noqa: S608 -- a table's own name
    return f'SELECT * FROM "{schema}"."{name}"'  # noqa: S608 -- a table's own name


def columns(connection: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    """The names of a table's columns."""
    schema, _, name = table.partition(".")
    return [row[0] for row in connection.execute(f'DESCRIBE "{schema}"."{name}"').fetchall()]


def quoting(extensions: Iterable[Extension]) -> dict[str, Quotes]:
    """Tables of extensions that quote runs, by their qualified names."""
    return {f"{e.name}.{table}": told for e in extensions for table, told in e.quotes.items()}


def _lasting(extensions: Iterable[Extension]) -> dict[str, tuple[str, int]]:
    """Tables of extensions whose rows last for some days: the column of their time, and since when they stay."""
    now = time.time_ns()
    return {
        f"{e.name}.{table}": (column, now - days * _DAY)
        for e in extensions
        for table, (column, days) in e.lasting.items()
    }


def _copy(path: Path, draft: Path, doomed: Doomed, extensions: Sequence[Extension], memory: int) -> None:
    quotes, since = quoting(extensions), _lasting(extensions)
    config: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": f"{memory // 2**20}MiB",
        "checkpoint_threshold": "1GiB",
    }
    with duckdb.connect(str(draft), config=config) as new:
        own = new.execute("SELECT current_database()").fetchall()[0][0]
        quoted = str(path).replace("'", "''")
        new.execute(f"ATTACH '{quoted}' AS before (READ_ONLY)")
        new.execute(f'COPY FROM DATABASE before TO "{own}" (SCHEMA)')
        new.execute("USE before")
        tables = [f"{schema}.{name}" for schema, name in new.execute(statements.load()["care/physical"]).fetchall()]
        for table in tables:
            sql = kept(table, columns(new, table), quotes, since)
            params = {name: _param(doomed, name) for name in statements.parameters(sql)}
            schema, _, name = table.partition(".")
            new.execute(f'INSERT INTO "{own}"."{schema}"."{name}" BY NAME {sql}', params)
        new.execute(f'USE "{own}"')
        if doomed.refused:
            for kind, keys in (("trace", doomed.traces), ("log", doomed.logs)):
                new.execute(statements.load()["write/tombstones"], {"kind": kind, "keys": sorted(keys)})
        new.execute("DETACH before")
        new.execute("CHECKPOINT")


def _param(doomed: Doomed, name: str) -> object:
    value = getattr(doomed, name)
    return value if isinstance(value, int) else sorted(value)
