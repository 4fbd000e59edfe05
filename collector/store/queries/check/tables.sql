-- Every table of the store.
SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal AND database_name = current_database() ORDER BY ALL
