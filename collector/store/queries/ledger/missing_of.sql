-- How many blocks a table uses of those behind the first so many and of some others.
SELECT count(DISTINCT block)::BIGINT AS number
FROM (SELECT unnest(list_append(additional_block_ids, block_id)) AS block FROM pragma_storage_info($table::VARCHAR) WHERE persistent)
WHERE block >= $there OR list_contains($spoiled::BIGINT[], block)
