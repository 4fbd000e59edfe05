-- Every tool, agent and skill that any run has shown, and one row of kind `run` where there is a run.
SELECT DISTINCT 'tool' AS kind, name, qualified FROM tool_calls WHERE name IS NOT NULL
UNION ALL SELECT DISTINCT 'agent', agent, NULL FROM jobs WHERE agent IS NOT NULL
UNION ALL SELECT DISTINCT 'skill', name, NULL FROM skill_reads WHERE name IS NOT NULL
UNION ALL (SELECT 'run', '', NULL FROM runs LIMIT 1)
ORDER BY ALL
