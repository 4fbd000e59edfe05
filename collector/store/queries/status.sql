-- What the store holds, in one row.
SELECT
    coalesce(sum(spans), 0)::UBIGINT AS spans,
    coalesce(sum(logs), 0)::UBIGINT AS logs,
    coalesce(sum(duplicates), 0)::UBIGINT AS duplicates,
    count(*) FILTER (spans + logs > 0)::UBIGINT AS commits,
    max(committed_at) FILTER (spans + logs > 0)::TIMESTAMP AS last_commit,
    (SELECT count(DISTINCT trace_id) FROM evidence.arrivals)::UBIGINT AS traces,
    (SELECT count(*) FROM runs)::UBIGINT AS runs,
    (SELECT count(*) FROM runs WHERE open)::UBIGINT AS open_runs
FROM evidence.commits
