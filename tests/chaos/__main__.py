"""`python -m tests.chaos`: rounds of every kind of maltreatment, one line each; ends 1 at the first broken promise."""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.chaos.rounds import KINDS, play


def main() -> int:
    """Play the rounds."""
    parser = argparse.ArgumentParser(description="Maltreat a collector, and look whether it kept its promises.")
    parser.add_argument("--rounds", type=int, default=20, help="of each kind; default 20")
    parser.add_argument("--only", choices=KINDS, action="append", help="these kinds alone")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="to play the same moments again")
    asked = parser.parse_args()
    print(f"seed {asked.seed}")
    for kind in asked.only or KINDS:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            for number in range(1, asked.rounds + 1):
                try:
                    said = play(kind, Path(folder), random.Random(f"{asked.seed} {kind} {number}"))
                except AssertionError as broken:
                    print(f"{kind} {number}/{asked.rounds}: BROKEN: {broken}")
                    return 1
                print(f"{kind} {number}/{asked.rounds}: {said}", flush=True)
        print(f"{kind}: {asked.rounds} rounds kept their promises ({time.monotonic() - began:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
