"""Job-expectation evals: what the format `expectations` reads a case with. Rules S4-1 to S4-28."""
