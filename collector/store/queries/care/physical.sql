-- Every table that holds rows.
SELECT schema_name, table_name FROM duckdb_tables()
WHERE database_name = current_database() AND NOT internal AND NOT temporary ORDER BY ALL
