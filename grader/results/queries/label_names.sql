-- How many labels there are of each check; '': of none by name.
SELECT coalesce(check_name, '') AS check_name, count(*) AS labels FROM grading.labels GROUP BY ALL ORDER BY ALL
