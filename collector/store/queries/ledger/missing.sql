-- How many blocks of those that say where the tables lie are behind the first so many or are some others.
SELECT count(*)::BIGINT AS number FROM pragma_metadata_info() WHERE block_id >= $there OR list_contains($spoiled::BIGINT[], block_id)
