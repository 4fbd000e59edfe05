-- Bytes of one block of the file.
SELECT block_size::BIGINT AS bytes FROM pragma_database_size()
