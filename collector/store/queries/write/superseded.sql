INSERT INTO evidence.superseded (commit_seq, commit_row)
SELECT unnest($commits::UBIGINT[]), unnest($numbers::UINTEGER[])
