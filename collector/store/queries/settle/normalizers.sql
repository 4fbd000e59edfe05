-- The normalizers that built what the store holds.
SELECT DISTINCT normalizer FROM canonical.normalizers
