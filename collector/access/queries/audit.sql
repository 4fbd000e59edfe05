-- The newest rows of the audit table in their order, with the name of the token that was used or changed.
WITH newest AS (SELECT *, rowid AS place FROM access.audit ORDER BY "at" DESC, place DESC LIMIT $most)
SELECT n."at", n.who, w.name AS who_name, n.what, n.outcome, n.row_count, n.trace_count, n.about, a.name AS about_name, n.size
FROM newest n
LEFT JOIN access.tokens w ON w.token_id = n.who
LEFT JOIN access.tokens a ON a.token_id = n.about
ORDER BY n."at", n.place
