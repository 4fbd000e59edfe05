"""What the store may hold of traces, runs and references: certain when it says no, so that nothing is looked up in vain.

Nearly every trace is built once and refers to nothing. Asking the store about each batch costs more the more it holds: 445 ms
of processor time for 256 traces among 200,000 (measured, 2 cores), which is half of what building them takes.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping

import pyarrow as pa

from collector.store.writing.seen import Seen, Words, log_words

_OTHER = {"wants": "offers", "offers": "wants"}


class Known:
    """Ids that were appended or tried. `fill` gives the filter of what is stored, when first asked for."""

    def __init__(self, fill: Callable[[], Seen]) -> None:
        self._fill = fill
        self._filled: Seen | None = None

    def tried(self, traces: Iterable[str]) -> None:
        """These traces were built, or could not be: what `Pending` says of them is not all of their evidence any more."""
        self._add(f"built {trace}" for trace in traces)

    def note(self, tables: Mapping[str, pa.Table]) -> None:
        """These rows, by qualified table name, are about to be appended."""
        keys: list[str] = []
        if (builds := tables.get("canonical.builds")) is not None:
            keys += [f"built {trace}" for trace in builds["trace_id"].to_pylist()]
        if (runs := tables.get("canonical.runs")) is not None:
            keys += [f"run {run}" for run in runs["run_id"].to_pylist()]
        if (told := tables.get("canonical.references")) is not None:
            keys += [f"{role} {kind} {key}" for kind, key, role in _references(told)]
        self._add(keys)

    def built(self, traces: Collection[str]) -> list[str]:
        """Those of these traces that may have been built or tried before, sorted."""
        return self._perhaps(sorted(traces), "built {}".format)

    def runs(self, runs: Collection[str]) -> list[str]:
        """Those of these runs that may have been stored, sorted."""
        return self._perhaps(sorted(runs), "run {}".format)

    def may_connect(self, traces: Collection[str], references: pa.Table | None) -> bool:
        """Whether these traces, whose fresh references these are, may be connected with others; False is certain."""
        fresh = [] if references is None else _references(references)
        held = set(traces)
        if any(kind == "link" and role == "wants" and key not in held for kind, key, role in fresh):
            return True  # any trace can be linked to
        keys = [f"built {trace}" for trace in traces]  # its stored references are not among the fresh ones
        keys += [f"wants link {trace}" for trace in traces]
        keys += [f"{_OTHER[role]} {kind} {key}" for kind, key, role in fresh if kind != "link"]
        return bool(self._perhaps(keys, str))

    def _perhaps(self, ids: list[str], name: Callable[[str], str]) -> list[str]:
        if not ids:
            return []
        found = self._seen().perhaps(_words(map(name, ids)))
        return [one for one, perhaps in zip(ids, found.tolist(), strict=True) if perhaps]

    def _add(self, keys: Iterable[str]) -> None:
        if (words := _words(keys)).size:
            self._seen().add(words)

    def _seen(self) -> Seen:
        if self._filled is None:
            self._filled = self._fill()
        return self._filled


def _references(table: pa.Table) -> list[tuple[str, str, str]]:
    return list(zip(*(table[name].to_pylist() for name in ("kind", "key", "role")), strict=True))


def _words(keys: Iterable[str]) -> Words:
    return log_words(b"".join(_digest(key) for key in keys))


def _digest(key: str) -> bytes:
    return hashlib.md5(key.encode(), usedforsecurity=False).digest()
