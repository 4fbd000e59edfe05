"""The facts of `tracegrade status`: of the collector, where one runs, and of the store."""

from collections.abc import Sequence
from typing import Any

from collector.answer.formats import records
from collector.answer.local import LocalStore
from collector.answer.open_store import connect
from collector.answer.remote import RemoteStore
from collector.observation import file_sizes
from collector.store.extension import Extension


def standing(place: str, extensions: Sequence[Extension] = ()) -> dict[str, Any]:
    """JSON for machines: `running`, `place`, `collector` (see `observation`; null where none runs) and `store`.

    Raises StoreError as `connect` does. Keys are only ever added.
    """
    with connect(place, extensions=extensions, create=False) as store:
        collector = store.status() if isinstance(store, RemoteStore) else None
        (held,) = records(store.query("status"))
        if isinstance(store, LocalStore):
            held |= {"waiting_traces": len(store.settler.pending), "file_bytes": file_sizes(store.path)}
        elif collector is not None:
            held["waiting_traces"] = collector["waiting_traces"]
    return {"running": collector is not None, "place": place, "collector": collector, "store": held}
