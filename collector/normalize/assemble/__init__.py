"""Sightings of whole traces → runs. `build.py` holds the passes in their order; each pass is a file."""
