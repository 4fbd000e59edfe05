"""What pruning and deleting say."""

import io
import json

import pytest

from collector.cli.render.cared import OUTSIDE, write, write_left

DONE = {"traces": 1, "runs": 2, "spans": 1_234, "logs": 0, "before": 3_400_000, "after": 1_300_000, "seconds": 0.64}
NOTHING = dict.fromkeys(DONE, 0) | {"before": 3_400_000, "after": 3_400_000}


@pytest.mark.parametrize(
    ("done", "dry_run", "text"),
    [
        (
            DONE,
            False,
            "Took out 1 trace, 2 runs, 1,234 spans and 0 log records; the file had 3.4 MB and has 1.3 MB (0.6 s).\n",
        ),
        (DONE, True, "Would take out 1 trace, 2 runs, 1,234 spans and 0 log records; the file has 3.4 MB.\n"),
        (NOTHING, False, "Nothing to take out; the file has 3.4 MB.\n"),
    ],
)
def test_people_get_one_sentence(done: dict[str, float], dry_run: bool, text: str):
    """What went, what would go, or that nothing does."""
    out = io.StringIO()
    write(done, out, dry_run=dry_run, as_json=False)
    assert out.getvalue() == text


def test_machines_get_everything():
    """All counts, and whether it was a dry run."""
    out = io.StringIO()
    write(DONE, out, dry_run=True, as_json=True)
    assert json.loads(out.getvalue()) == {**DONE, "dry_run": True}


def test_a_deletion_tells_what_it_did_not_erase():
    """What left the store, copies that were set aside, and other traces that may repeat the words; names are made harmless."""
    out = io.StringIO()
    write_left({"copies": (), "conversations": ()}, out)
    assert out.getvalue() == OUTSIDE + "\n"
    out = io.StringIO()
    write_left({"copies": ["/q/t-1"], "conversations": ["c\x1b1"]}, out)
    assert out.getvalue().splitlines()[1:] == [
        "Copies of the store that were set aside may hold it; remove those that you do not need:",
        "  /q/t-1",
        "Other traces of the conversation c\\x1b1 may repeat what was said: delete them with --conversation.",
    ]
