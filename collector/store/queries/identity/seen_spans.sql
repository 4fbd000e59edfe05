-- The identity of every stored span, 24 bytes each: fills the filter at open.
SELECT unhex(trace_id || span_id) AS identity FROM evidence.spans
