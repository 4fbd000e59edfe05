-- Notes on revisions that are still there.
SELECT r.* FROM evidence.superseded r
SEMI JOIN (
    SELECT s.commit_seq, s.commit_row FROM evidence.spans s
    ANTI JOIN (SELECT unnest($traces::VARCHAR[]) AS trace_id) d ON d.trace_id = s.trace_id
    WHERE s.commit_seq IN (SELECT commit_seq FROM evidence.superseded)
) k ON k.commit_seq = r.commit_seq AND k.commit_row = r.commit_row
