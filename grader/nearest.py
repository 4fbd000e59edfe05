"""What a mistaken name probably was meant to be."""

import difflib
from collections.abc import Sequence


def nearest(name: str, known: Sequence[str]) -> str:
    """For a message: "; did you mean 'x'?", or the empty text where nothing comes close."""
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""
