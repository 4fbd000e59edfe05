"""One round of every kind; `make chaos` plays twenty."""

import random
from pathlib import Path

import pytest

from tests.chaos.rounds import KINDS, play


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_promises_are_kept(kind: str, tmp_path: Path):
    """Whatever is done to a collector: no acknowledged span is lost unsaid, none is stored twice, no success is false."""
    play(kind, tmp_path, random.Random(kind))
