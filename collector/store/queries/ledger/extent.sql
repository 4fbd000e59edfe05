-- The last block of the file that a table uses.
SELECT max(greatest(block_id, coalesce(list_max(additional_block_ids), -1)))::BIGINT AS last
FROM pragma_storage_info($table::VARCHAR) WHERE persistent
