-- What is no read at all. Each block, up to a blank line, must be refused. Rerun on every new DuckDB.

-- no statement
-- only a comment

-- plain DELETE
DELETE FROM evidence.spans

-- plain UPDATE
UPDATE evidence.spans SET name = 'x'

-- DROP
DROP VIEW spans

-- CREATE
CREATE TABLE mine AS SELECT * FROM spans

-- a temporary table
CREATE TEMP TABLE mine AS SELECT * FROM spans

-- ATTACH
ATTACH ':memory:' AS other

-- COPY out
COPY spans TO '/tmp/tracegrade-hostile.csv'

-- EXPORT
EXPORT DATABASE '/tmp/tracegrade-hostile'

-- SET
SET threads = 64

-- RESET
RESET threads

-- PRAGMA
PRAGMA enable_verification

-- CHECKPOINT
CHECKPOINT

-- CALL
CALL pragma_version()

-- INSTALL
INSTALL httpfs

-- LOAD
LOAD httpfs

-- EXPLAIN ANALYZE executes
EXPLAIN ANALYZE SELECT * FROM spans

-- PIVOT is several statements
PIVOT spans ON kind USING count(*)

-- PREPARE
PREPARE p AS SELECT 1

-- VACUUM
VACUUM

-- a secret
CREATE SECRET s (TYPE s3)

-- a transaction of one's own
BEGIN TRANSACTION

-- SHOW
SHOW TABLES

-- SUMMARIZE
SUMMARIZE spans

-- DESCRIBE of an internal table
DESCRIBE evidence.about

-- COPY in
COPY evidence.spans FROM '/etc/passwd'

-- IMPORT
IMPORT DATABASE '/tmp/tracegrade-hostile'

-- DETACH
DETACH tracegrade

-- USE
USE memory

-- ALTER
ALTER TABLE evidence.spans DROP COLUMN name

-- TRUNCATE
TRUNCATE evidence.spans

-- INSERT
INSERT INTO evidence.about VALUES ('a', 'b')

-- MERGE
MERGE INTO evidence.about a USING (SELECT 'a' AS key) b ON a.key = b.key WHEN MATCHED THEN DELETE

-- COMMENT
COMMENT ON VIEW spans IS 'mine'

-- a macro
CREATE MACRO f(x) AS x + 1

-- a type
CREATE TYPE mood AS ENUM ('a')

-- a sequence of one's own
CREATE SEQUENCE s

-- a view over hidden tables
CREATE OR REPLACE VIEW spans AS SELECT * FROM evidence.about

-- a view for this session over hidden tables
CREATE TEMP VIEW mine AS SELECT * FROM evidence.about

-- a variable of one's own
SET VARIABLE x = (SELECT max(value) FROM evidence.about)

-- a persistent secret
CREATE PERSISTENT SECRET s (TYPE http, BEARER_TOKEN 'x')

-- extensions by UPDATE
UPDATE EXTENSIONS

-- EXECUTE
EXECUTE p

-- EXPLAIN
EXPLAIN SELECT * FROM evidence.about

-- UNPIVOT of an internal table
UNPIVOT evidence.about ON value INTO NAME a VALUE b

-- a checkpoint by CALL
CALL checkpoint('tracegrade')

-- a profile into a file
PRAGMA profiling_output = '/tmp/tracegrade-hostile.json'

-- a statement for another server
CONNECT TO 'quack:127.0.0.1'
