"""Report formats, one file each: a pure function from gradings to a text.

A file names its `FORMAT`; a folder scan finds it (`grader/pieces.py`). No format imports another.
"""
