-- Which services sent spans, how many, and through which instrumentations: also those of which no run was made.
SELECT service_name AS service, count(*)::UBIGINT AS spans, list_sort(list_distinct(list(scope_name))) AS scopes
FROM spans
WHERE $service::VARCHAR IS NULL OR service_name = $service::VARCHAR
GROUP BY service_name
ORDER BY service_name NULLS LAST
