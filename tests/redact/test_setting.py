"""From settings to what is done."""

from pathlib import Path

import pytest

from collector.config import Settings
from collector.redact.rules import BadRules
from collector.redact.setting import redactor


def test_secrets_are_masked_by_default():
    """Without any setting there is a redactor; both off there is none."""
    assert redactor(Settings()) is not None
    assert redactor(Settings(redact_secrets=False)) is None


def test_a_file_of_rules_is_read(data: Path, tmp_path: Path):
    """The setting names it; one that is not there is said."""
    assert redactor(Settings(redact=str(data / "redact/rules.toml"), redact_secrets=False)) is not None
    with pytest.raises(BadRules, match="cannot be read"):
        redactor(Settings(redact=str(tmp_path / "none.toml")))
