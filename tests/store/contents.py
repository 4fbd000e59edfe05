"""Everything that a store holds, to compare two stores."""

from collector.answer.local import LocalStore

VIEWS = (
    *("spans", "span_revisions", "logs", "runs", "run_aliases", "run_members", "jobs", "tool_calls", "model_calls"),
    *("delegations", "approvals", "skill_reads", "constraints", "retrievals", "messages"),
)


def contents(store: LocalStore, extra: tuple[str, ...] = ()) -> dict[str, list[tuple[str | None, ...]]]:
    """The rows of all views, as texts and sorted, and the ledger's."""
    cursor = store.database.cursor()
    names = (*VIEWS, *extra, "evidence.commits", "evidence.superseded", "evidence.arrivals", "canonical.references")
    found = {}
    for name in names:
        rows = cursor.execute(f"SELECT COLUMNS(*)::VARCHAR FROM {name}").fetchall()
        found[name] = sorted(rows, key=lambda row: tuple(value or "" for value in row))
    cursor.close()
    return found
