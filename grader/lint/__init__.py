"""What `tracegrade lint` looks names up in: what a store's traces have shown, and what a manifest says can be reached."""
