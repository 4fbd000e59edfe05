-- The last commit before this moment (nanoseconds since the epoch), 0 where there is none.
SELECT coalesce(max(seq), 0) AS seq FROM evidence.commits WHERE committed_at < make_timestamp_ns($at)
