-- Each block, up to a blank line, passes the gate and would take all memory, or all time: its process is stopped for it.

-- a cross join
SELECT sum(a.range * b.range) FROM range(100000000) a, range(100000000) b

-- a recursive CTE without an end
WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT sum(n) FROM t

-- a recursive CTE that doubles
WITH RECURSIVE t AS (SELECT 'x' AS s UNION ALL SELECT s || s FROM t) SELECT max(length(s)) FROM t

-- CTEs that double the plan each
WITH a AS NOT MATERIALIZED (SELECT 1 AS n), b AS NOT MATERIALIZED (SELECT * FROM a x, a y, a z, a w), c AS NOT MATERIALIZED (SELECT 1 FROM b x, b y, b z, b w), d AS NOT MATERIALIZED (SELECT 1 FROM c x, c y, c z, c w), e AS NOT MATERIALIZED (SELECT 1 FROM d x, d y, d z, d w), f AS NOT MATERIALIZED (SELECT 1 FROM e x, e y, e z, e w), g AS NOT MATERIALIZED (SELECT 1 FROM f x, f y, f z, f w) SELECT count(*) FROM g x, g y, g z, g w

-- sorting a huge list
SELECT list_sort(list(range)) FROM range(50000000)

-- a lambda over a huge list
SELECT list_transform(list(range), lambda x: x * x + sqrt(x)) FROM range(50000000)

-- lambdas within lambdas
SELECT list_transform(l, lambda a: list_transform(l, lambda b: list_transform(l, lambda c: list_transform(l, lambda d: a + b + c + d)))) FROM (SELECT list(range) AS l FROM range(300))

-- one huge string
SELECT length(string_agg('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', '')) FROM range(100000000)

-- a string that is replaced by longer ones
SELECT length(replace(replace(replace(replace(replace(replace(s, 'x', s), 'x', s), 'x', s), 'x', s), 'x', s), 'x', s)) FROM (SELECT 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' AS s)

-- a sort of more than there is memory
SELECT range, md5(range::VARCHAR) AS h FROM range(300000000) ORDER BY h DESC

-- a distinct of more than there is memory
SELECT count(DISTINCT md5(range::VARCHAR)) FROM range(300000000)

-- a histogram with a key for each row
SELECT histogram(range) FROM range(100000000)

-- a map of everything
SELECT map_from_entries(list((range, range::VARCHAR))) FROM range(50000000)

-- a window over everything
SELECT max(s) FROM (SELECT sum(range) OVER (ORDER BY hash(range) ROWS BETWEEN 100000000 PRECEDING AND CURRENT ROW) AS s FROM range(100000000))

-- a regular expression with huge repetitions
SELECT count(*) FROM range(100000000) WHERE regexp_matches(md5(range::VARCHAR) || md5(range::VARCHAR), '(((a{1,30}){1,30}){1,30}|.*b.*c.*d)$')

-- edit distances of long strings
SELECT sum(levenshtein(s, reverse(s))) FROM (SELECT string_agg(range::VARCHAR, '') AS s FROM range(200000))

-- JSON that is built and taken apart
SELECT count(*) FROM (SELECT json_group_array(range) AS j FROM range(30000000)), json_each(j)

-- many columns
SELECT COLUMNS(*) FROM (SELECT * FROM spans a, spans b, spans c, spans d, spans e, spans f, range(100000000) r)

-- a correlated subquery for each row
SELECT sum((SELECT count(*) FROM range(10000000) b WHERE b.range % (a.range + 1) = 0)) FROM range(1000000) a

-- an exact quantile of everything
SELECT quantile_cont(hash(range), 0.5) FROM range(500000000)
