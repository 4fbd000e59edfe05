-- Whether the store holds anything that was ever sent or graded; that somebody only asked counts for nothing.
SELECT EXISTS (FROM evidence.commits WHERE spans + logs > 0) OR EXISTS (FROM evidence.batches) AS filled
