-- How many spans and log records a rewrite would take out.
SELECT
    (SELECT count(*) FROM evidence.spans WHERE trace_id IN (SELECT unnest($traces::VARCHAR[]))) AS spans,
    (SELECT count(*) FROM evidence.logs
     WHERE trace_id IN (SELECT unnest($traces::VARCHAR[]))
        OR (trace_id IS NULL AND (commit_seq <= $upto::UBIGINT OR content_hash IN (SELECT unnest($logs::VARCHAR[]))))
    ) AS logs
