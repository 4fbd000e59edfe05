-- How many bytes the file's blocks take, by the database's own account.
SELECT (block_size * total_blocks)::BIGINT AS bytes FROM pragma_database_size()
