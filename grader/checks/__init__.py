"""Checks, one file each: a pure primitive, and the form in which the native suite writes it.

A file lists its forms in `FORMS`; a folder scan finds them (`grader/pieces.py`). No check imports another.
"""
