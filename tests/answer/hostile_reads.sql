-- What begins like a read. Each block, up to a blank line, must be refused. Rerun on every new DuckDB.

-- a CTE that deletes
WITH x AS (DELETE FROM spans RETURNING *) SELECT * FROM x

-- a CTE that writes a file
WITH x AS (COPY spans TO '/tmp/tracegrade-hostile.csv') SELECT 1

-- a CTE that inserts
WITH x AS (INSERT INTO evidence.about VALUES ('a', 'b') RETURNING *) SELECT * FROM x

-- a CTE that updates
WITH x AS (UPDATE evidence.spans SET name = 'x' RETURNING *) SELECT * FROM x

-- a deleting CTE below a harmless one
SELECT * FROM (WITH a AS (SELECT 1), b AS (DELETE FROM evidence.spans RETURNING *) SELECT * FROM a)

-- two statements
SELECT 1; SELECT 2

-- a second statement that writes
SELECT 1; COPY spans TO '/tmp/tracegrade-hostile.csv'

-- the raw database file
SELECT * FROM read_blob('tracegrade.duckdb')

-- a text file
SELECT * FROM read_text('/etc/passwd')

-- a CSV file as a table
SELECT * FROM '/etc/passwd.csv'

-- a CSV file by function
SELECT * FROM read_csv('/etc/passwd')

-- a Parquet file
SELECT * FROM parquet_scan('x.parquet')

-- a folder
SELECT * FROM glob('/*')

-- the environment
SELECT getenv('HOME')

-- a setting
SELECT current_setting('temp_directory')

-- all settings
SELECT * FROM duckdb_settings()

-- secrets
SELECT * FROM duckdb_secrets()

-- logs of the database
SELECT * FROM duckdb_logs

-- memory of others
SELECT * FROM duckdb_temporary_files()

-- the catalog by function
SELECT * FROM duckdb_tables()

-- the catalog by view
SELECT * FROM information_schema.tables

-- the catalog of Postgres
SELECT * FROM pg_catalog.pg_tables

-- the catalog of SQLite
SELECT * FROM sqlite_master

-- SQL in a string
SELECT * FROM query('SELECT 1')

-- a table by its name in a string
SELECT * FROM query_table('evidence.about')

-- a serialized statement
SELECT * FROM json_execute_serialized_sql('{}')

-- an internal table
SELECT * FROM evidence.spans

-- an internal table with its catalog
SELECT * FROM memory.evidence.about

-- a qualified view
SELECT * FROM main.spans

-- a hidden name: the inner CTE does not reach the outer FROM
SELECT * FROM (WITH pg_tables AS (SELECT 1) SELECT * FROM pg_tables), pg_tables

-- a hidden name: a CTE that reads the catalog's table of its own name
WITH duckdb_views AS (SELECT * FROM duckdb_views) SELECT * FROM duckdb_views

-- a hidden name: a CTE that is used before it is there
WITH a AS (SELECT * FROM pg_class), pg_class AS (SELECT 1) SELECT * FROM a

-- a hidden name: the first half of a recursive CTE
WITH RECURSIVE pg_class AS (SELECT oid FROM pg_class UNION ALL SELECT oid FROM pg_class) SELECT * FROM pg_class

-- an internal table in a subquery of an expression
SELECT (SELECT max(value) FROM evidence.about)

-- an internal table in a condition
SELECT 1 WHERE EXISTS (FROM evidence.about)

-- an internal table in a lambda
SELECT list_transform([1], lambda x: (SELECT max(value) FROM evidence.about))

-- an internal table in ORDER BY
SELECT 1 ORDER BY (SELECT max(value) FROM evidence.about)

-- an internal table in LIMIT
SELECT 1 LIMIT (SELECT count(*) FROM evidence.about)

-- an internal table in a window
SELECT sum(1) OVER (ORDER BY (SELECT max(value) FROM evidence.about))

-- an internal table in a FILTER
SELECT count(*) FILTER (WHERE (SELECT true FROM evidence.about)) FROM spans

-- an internal table in a join condition
SELECT * FROM spans JOIN runs ON (SELECT true FROM evidence.about)

-- an internal table in a table function's argument
SELECT * FROM unnest((SELECT list(value) FROM evidence.about))

-- an internal table in VALUES
SELECT * FROM (VALUES ((SELECT max(value) FROM evidence.about)))

-- an internal table in REPLACE
SELECT * REPLACE ((SELECT max(value) FROM evidence.about) AS name) FROM spans

-- a forbidden function in an aggregate's order
SELECT list(name ORDER BY getenv('HOME')) FROM spans

-- a forbidden function in the second half of a UNION
SELECT '1' UNION ALL SELECT getenv('HOME')

-- a huge string outside of the memory limit
SELECT length(repeat('x', 3000000000))

-- a huge string by padding
SELECT length(lpad('x', 2000000000, 'y'))

-- a huge list
SELECT list_sort(range(30000000))

-- a sleep
SELECT sleep_ms(100000)

-- the log
SELECT write_log('x')

-- a sequence
SELECT nextval('s')

-- a variable
SELECT getvariable('x')

-- a parameter
SELECT $name

-- a positional parameter
SELECT * FROM spans WHERE trace_id = ?

-- SHOW of a kind that is a SELECT to DuckDB
SELECT * FROM (SHOW ALL TABLES)

-- a sample
SELECT * FROM spans TABLESAMPLE 10%

-- a function by its schema
SELECT system.main.getenv('HOME')

-- a storage function
SELECT * FROM pragma_storage_info('spans')

-- guessing at a file
SELECT * FROM sniff_csv('/etc/passwd')

-- the environment of the process
SELECT * FROM read_text('/proc/self/environ')

-- JSON lines of a file
SELECT * FROM read_ndjson_objects('/etc/passwd')

-- metadata of a file
SELECT * FROM parquet_metadata('/tmp/x.parquet')

-- a file by its name as a table
FROM 'tracegrade.duckdb'

-- the store's own bytes by the name under which a cell has them
SELECT * FROM read_blob('live:///tmp/tracegrade.duckdb')

-- a file in a scalar subquery
SELECT (SELECT content FROM read_text('/etc/passwd'))

-- a file in a lambda's neighbour
SELECT list_filter([1], lambda x: x > 0), (FROM read_text('/etc/hosts') SELECT max(content))

-- a file in a LATERAL join
SELECT * FROM spans s, LATERAL (SELECT * FROM read_text(s.name))

-- a network address
SELECT * FROM read_csv('http://127.0.0.1:9/x.csv')

-- a CTE that attaches
WITH x AS (ATTACH '/tmp/tracegrade-hostile.db' AS y) SELECT 1

-- a materialized CTE that deletes
WITH x AS MATERIALIZED (DELETE FROM evidence.spans RETURNING 1) SELECT count(*) FROM x

-- a recursive CTE that deletes
WITH RECURSIVE x AS (SELECT 1 AS n UNION ALL (WITH y AS (DELETE FROM evidence.spans RETURNING 1) SELECT 2 FROM y)) SELECT * FROM x

-- PIVOT as a table
SELECT * FROM (PIVOT evidence.about ON key USING count(*))

-- a checkpoint by function
SELECT * FROM force_checkpoint('tracegrade')

-- a pragma as a function
SELECT * FROM pragma_database_list()

-- a pragma as a table
SELECT * FROM pragma_database_list

-- which secret would be used
SELECT * FROM which_secret('s3://x', 's3')

-- SQL in a string, in a subquery
SELECT (SELECT max(value) FROM query('FROM evidence.about'))

-- tables by a list of names
SELECT * FROM query_table(['spans', 'logs'])

-- a scan below the views
SELECT * FROM seq_scan('evidence.about')

-- a variable of the Python process
SELECT * FROM files

-- an Arrow pointer
SELECT * FROM arrow_scan(1, 2, 3)

-- a Python object
SELECT * FROM pandas_scan(1)

-- rows without end by one function
SELECT count(*) FROM repeat_row(1, num_rows = 100000000000)

-- a huge string by a format
SELECT length(format('{:>1000000000}', 1))

-- a huge string by printf
SELECT length(printf('%1000000000d', 1))

-- a huge string by a bar
SELECT length(bar(1, 0, 1, 100000000))

-- a huge list by resizing
SELECT len(list_resize([1], 2000000000))

-- a huge list by a range
SELECT list_transform(range(100000000), lambda x: list_sum(range(x)))

-- another time of a table
SELECT * FROM spans AT (TIMESTAMP => now())

-- a table of all functions
SELECT * FROM duckdb_functions()

-- a hidden table in the second half
SELECT * FROM "spans" UNION ALL SELECT * FROM "evidence"."spans"

-- quotes around a hidden name
SELECT * FROM "evidence"."about"

-- letters that only look alike
SELECT * FROM ѕpans

-- parentheses without end
SELECT ((((((((((((((((((((((((((((((((((((((((((((((((1

-- a comment that hides a statement
SELECT 1 /* ; */ ; /* */ DELETE FROM evidence.spans
