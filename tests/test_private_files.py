"""Rights of the store's files."""

import os
import stat
from pathlib import Path

import pytest

from collector.errors import UserError
from collector.private_files import distrust, keep_private, require_own

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


needs_root = pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
SOMEBODY = 12_345


@pytest.mark.parametrize("suffix", ["", ".wal", ".ledger"])
@pytest.mark.parametrize("mode", [0o660, 0o602])
def test_what_others_may_change_is_not_served(tmp_path: Path, suffix: str, mode: int):
    """The store, its log and its mark, by group or by anybody: the message names the file and the way out (X-33)."""
    path = tmp_path / f"a.duckdb{suffix}"
    path.touch()
    path.chmod(mode)
    with pytest.raises(UserError, match=f"chmod go-w {path}"):
        require_own(str(tmp_path / "a.duckdb"))
    path.chmod(0o600)
    require_own(str(tmp_path / "a.duckdb"))


@needs_root
def test_what_belongs_to_somebody_else_is_not_served(tmp_path: Path):
    """Its owner could change it whatever its mode says; what root owns is no worse than root is (X-33)."""
    path = tmp_path / "a.duckdb"
    path.touch(0o600)
    require_own(str(path))
    os.chown(path, SOMEBODY, SOMEBODY)
    with pytest.raises(UserError, match="belongs to another user"):
        require_own(str(path))


def test_what_root_owns_is_trusted():
    """Secrets that an orchestrator hands over are root's."""
    assert distrust(Path("/etc/passwd")) is None
    assert distrust(Path("/no/such/file")) is None


def test_a_folder_that_others_may_change_is_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """But where only owners remove files, as in /tmp, or where it is our own group (X-33)."""
    for mode in (0o1777, 0o775, 0o755, 0o700):
        tmp_path.chmod(mode)
        require_own(str(tmp_path / "a.duckdb"))
    assert caplog.text == ""
    tmp_path.chmod(0o777)
    require_own(str(tmp_path / "a.duckdb"))
    assert "by every user" in caplog.text
    require_own(str(tmp_path / "none" / "a.duckdb"))  # who opens it says that there is no such folder


@needs_root
def test_a_folder_that_another_group_may_change_is_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """It may be meant, so that it is said and goes on."""
    os.chown(tmp_path, 0, SOMEBODY)
    tmp_path.chmod(0o770)
    require_own(str(tmp_path / "a.duckdb"))
    assert "by its group" in caplog.text


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path):
    """Each file in a line of its own."""
    for name in ("a.duckdb", "a.duckdb.wal"):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(0o666)
    with pytest.raises(UserError) as caught:
        require_own(str(tmp_path / "a.duckdb"))
    assert len(str(caught.value).splitlines()) == 2
