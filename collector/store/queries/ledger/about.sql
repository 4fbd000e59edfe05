-- What the store says of itself.
SELECT key, value FROM evidence.about
