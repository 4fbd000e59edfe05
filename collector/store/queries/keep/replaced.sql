-- None: the rows that they speak of are left out.
SELECT r.* FROM canonical.replaced r WHERE false
