-- Ids that these runs absorbed before, to be handed on when they are absorbed themselves.
SELECT alias, run_id FROM run_aliases WHERE run_id IN (SELECT unnest($runs::VARCHAR[]))
