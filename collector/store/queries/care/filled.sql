-- Whether the store holds anything that was ever sent or graded.
SELECT EXISTS (FROM evidence.commits) OR EXISTS (FROM evidence.batches) AS filled
