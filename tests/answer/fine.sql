-- Each block, up to a blank line, must pass the gate and run.

-- everything of a run
SELECT * FROM runs ORDER BY started DESC LIMIT 5

-- a filter and a count
SELECT service, agent, count(*) AS runs, avg(seconds) AS seconds FROM runs GROUP BY ALL ORDER BY runs DESC

-- joins
SELECT r.run_id, t.name, t.state FROM runs r JOIN tool_calls t USING (run_id) LEFT JOIN jobs j ON j.job_id = t.job_id

-- a CTE that uses another, with a trailing semicolon
WITH slow AS (SELECT * FROM spans WHERE duration_ns > 1000), names AS (SELECT DISTINCT name FROM slow) SELECT * FROM names;

-- a recursive CTE
WITH RECURSIVE below AS (
    SELECT span_id, parent_span_id, 0 AS depth FROM spans WHERE parent_span_id IS NULL
    UNION ALL
    SELECT s.span_id, s.parent_span_id, b.depth + 1 FROM spans s JOIN below b ON s.parent_span_id = b.span_id
) SELECT max(depth) FROM below

-- windows and QUALIFY
SELECT name, start_time, row_number() OVER (PARTITION BY trace_id ORDER BY start_ns) AS n FROM spans QUALIFY n = 1

-- a window with a frame
SELECT run_id, sum(cost_usd) OVER (ORDER BY started ROWS BETWEEN 3 PRECEDING AND CURRENT ROW), lag(cost_usd) OVER w FROM runs WINDOW w AS (ORDER BY started)

-- JSON arrows
SELECT attributes ->> 'gen_ai.tool.name' AS tool, attributes -> '$."gen_ai.usage.input_tokens"' FROM spans

-- JSON functions
SELECT json_extract_string(resource, '$."service.name"'), json_keys(attributes), json_array_length(events) FROM spans

-- JSON unrolled
SELECT s.span_id, e.value ->> 'name' FROM spans s, json_each(s.events) e

-- lists
SELECT len(spans), list_filter(flags, lambda f: f <> 'x'), list_contains(flags, 'a'), spans[1], flags[1:2] FROM tool_calls

-- unnest
SELECT run_id, unnest(dialects) FROM runs

-- times
SELECT date_trunc('hour', started) AS hour, count(*) FROM runs WHERE started > now()::TIMESTAMP - INTERVAL 1 DAY GROUP BY hour

-- time buckets and strftime
SELECT time_bucket(INTERVAL '5 minutes', started::TIMESTAMP), strftime(started::TIMESTAMP, '%H:%M'), extract(year FROM started) FROM runs

-- regular expressions
SELECT regexp_extract(reply, 'R-\d+'), reply SIMILAR TO '.*x.*', regexp_matches(reply, '(?i)refund') FROM runs

-- quantiles
SELECT quantile_cont(seconds, [0.5, 0.95, 0.99]), median(seconds), approx_quantile(seconds, 0.9) FROM runs

-- FILTER, HAVING, CASE, COALESCE
SELECT agent, count(*) FILTER (WHERE status = 'failed') AS failed, coalesce(max(CASE WHEN open THEN 1 END), 0) FROM runs GROUP BY agent HAVING count(*) > 0

-- sets
SELECT name FROM spans UNION SELECT name FROM tool_calls EXCEPT SELECT name FROM jobs JOIN tool_calls USING (run_id) INTERSECT SELECT 'x'

-- subqueries
SELECT * FROM spans WHERE trace_id IN (SELECT trace_id FROM run_members) AND NOT EXISTS (SELECT 1 FROM logs l WHERE l.span_id = spans.span_id)

-- FROM first, EXCLUDE, REPLACE, COLUMNS
FROM spans SELECT * EXCLUDE (attributes) REPLACE (upper(name) AS name)

-- COLUMNS
SELECT max(COLUMNS('.*_tokens')) FROM model_calls

-- VALUES and generated rows
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) v(n, t), range(3) r(i), generate_series(1, 2) g(j)

-- structs and maps
SELECT {'name': name, 'kind': kind}.name, map([1], ['a'])[1], row(1, 2) FROM spans

-- strings
SELECT name || ' ' || coalesce(agent_name, '-'), name ILIKE '%agent%', substring(name, 1, 3), split_part(name, '.', 1), concat_ws(',', name, kind) FROM spans

-- GROUPING SETS
SELECT service, agent, count(*) FROM runs GROUP BY GROUPING SETS ((service), (agent), ())

-- ASOF join
SELECT s.name, l.body FROM spans s ASOF JOIN logs l ON s.trace_id = l.trace_id AND s.start_ns >= l.time_ns

-- casts
SELECT TRY_CAST(input AS INTEGER), started::DATE, CAST(cost_usd AS DECIMAL(10, 4)), input::JSON FROM runs

-- arg_max and string_agg
SELECT arg_max(run_id, seconds), string_agg(DISTINCT agent, ', ' ORDER BY agent), histogram(status), any_value(service) FROM runs

-- LIMIT with OFFSET and a percentage
SELECT * FROM spans LIMIT 10% OFFSET 1

-- DISTINCT ON
SELECT DISTINCT ON (service) service, run_id FROM runs ORDER BY service, started

-- a CTE that shadows a view
WITH runs AS (SELECT 1 AS n) SELECT n FROM runs

-- DESCRIBE
DESCRIBE tool_calls
