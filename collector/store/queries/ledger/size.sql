-- Bytes of one block of the file, and how many blocks it has, free ones included.
SELECT block_size::BIGINT AS bytes, total_blocks::BIGINT AS number FROM pragma_database_size() WHERE database_name = current_database()
