-- How much of each kind of evidence the runs of each service hold: runs by state, why it is not more, which dialects spoke,
-- and which spoke in the runs that lack some. Runs that say the same are counted before anything is parsed: a store holds
-- many runs and few different captures.
WITH alike AS (
    SELECT service, capture, dialects, count(*) AS runs FROM runs
    WHERE $service::VARCHAR IS NULL OR service = $service::VARCHAR
    GROUP BY ALL
),
kinds AS (SELECT *, unnest(json_keys(capture)) AS kind FROM alike),
states AS (
    SELECT
        service, dialects, runs, kind,
        json_extract_string(capture, '$.' || kind || '.state') AS state,
        from_json(json_extract(capture, '$.' || kind || '.reasons'), '["VARCHAR"]') AS reasons
    FROM kinds
)
SELECT
    service, kind, sum(runs)::UBIGINT AS runs,
    coalesce(sum(runs) FILTER (state = 'present'), 0)::UBIGINT AS present,
    coalesce(sum(runs) FILTER (state = 'partial'), 0)::UBIGINT AS partial,
    coalesce(sum(runs) FILTER (state = 'absent'), 0)::UBIGINT AS absent,
    coalesce(sum(runs) FILTER (state = 'malformed'), 0)::UBIGINT AS malformed,
    list_sort(list_distinct(flatten(list(reasons)))) AS reasons,
    list_sort(list_distinct(flatten(list(dialects)))) AS dialects,
    coalesce(list_sort(list_distinct(flatten(list(dialects) FILTER (state <> 'present')))), []) AS lacking
FROM states
GROUP BY service, kind
ORDER BY service NULLS LAST, kind
