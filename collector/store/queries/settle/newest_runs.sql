-- The newest build of these runs, absorbed ones too.
SELECT r.run_id, r.build, r.tree_digest, r.absorbed_by, r.messages_digest FROM canonical.runs r
ANTI JOIN canonical.replaced o ON o.run_id = r.run_id AND o.build = r.build
WHERE r.run_id IN (SELECT unnest($runs::VARCHAR[]))
