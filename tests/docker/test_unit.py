"""The systemd unit that the README shows."""

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from collector.config import load
from tests.docs.readme import README, blocks

TEXT = next(block.text for block in blocks(README.read_text()) if block.language == "ini")
SERVICE = TEXT[TEXT.index("[Service]") : TEXT.index("[Install]")]


def settings() -> dict[str, str]:
    """The keys of [Service], each once."""
    parser = configparser.RawConfigParser(strict=True)
    parser.optionxform = str  # ty: ignore[invalid-assignment]
    parser.read_string(SERVICE)
    return dict(parser["Service"])


def test_it_has_a_user_and_a_folder_of_its_own():
    """A user made for it, a file system that is read-only but for its own folder, and no rights."""
    found = settings()
    assert (found["DynamicUser"], found["ProtectSystem"], found["NoNewPrivileges"]) == ("yes", "strict", "yes")
    assert (found["StateDirectory"], found["StateDirectoryMode"], found["CapabilityBoundingSet"]) == (
        "tracegrade",
        "0700",
        "",
    )


def test_it_runs_our_command_with_our_settings(tmp_path: Path):
    """It starts `tracegrade serve` with a store in its own folder, and waits longer than the collector takes to end."""
    found = settings()
    assert re.fullmatch(r"/\S+/tracegrade serve", found["ExecStart"])
    name, _, value = found["Environment"].partition("=")
    kept = load({}, {name: value}, tmp_path).settings
    assert kept.store.startswith("%S/" + found["StateDirectory"] + "/")
    assert int(found["TimeoutStopSec"]) > kept.drain_seconds * 2


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_takes_it(tmp_path: Path):
    """`systemd-analyze verify` has nothing to say about it."""
    unit = tmp_path / "tracegrade.service"
    unit.write_text(re.sub(r"/\S+/tracegrade serve", f"{Path(sys.executable).with_name('tracegrade')} serve", TEXT))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
