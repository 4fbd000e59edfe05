"""What the collector counts about itself. Pure: numbers in, text out; who counts what stands where it happens."""
