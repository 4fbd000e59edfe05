-- Whether the file holds anything at all.
SELECT schema_name, table_name FROM duckdb_tables() LIMIT 1
