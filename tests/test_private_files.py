"""Rights of the store's files."""

import os
import stat
from pathlib import Path

import pytest

from collector.private_files import keep_private

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other systems have no such rights")


def test_rights_of_others_are_taken_away(tmp_path: Path):
    """A file and its log that others could read are the owner's alone afterwards (X-33)."""
    store, log = tmp_path / "a.duckdb", tmp_path / "a.duckdb.wal"
    for path in (store, log):
        path.touch()
        path.chmod(0o664)
    keep_private(str(store))
    assert {stat.S_IMODE(path.stat().st_mode) for path in (store, log)} == {0o600}


def test_what_is_private_is_left_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """Nothing is said where nothing had to be done, or where there is no file."""
    store = tmp_path / "a.duckdb"
    keep_private(str(store))
    store.touch()
    store.chmod(0o400)
    keep_private(str(store))
    assert stat.S_IMODE(store.stat().st_mode) == 0o400
    assert caplog.text == ""
