INSERT INTO evidence.arrivals (seq, trace_id) SELECT $seq, unnest($traces::VARCHAR[])
