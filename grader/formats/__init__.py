"""Case-file formats, one file each: every one reads a file and compiles it to the same primitives.

A file names its `FORMAT`; a folder scan finds it (`grader/pieces.py`). No format imports another.
"""
