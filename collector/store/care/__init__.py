"""Of a whole store: what goes, what is taken out and brought back, whether it is whole."""
