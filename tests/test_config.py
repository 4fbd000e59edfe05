"""Settings: precedence, sources, and all mistakes at once."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.config import ConfigError, load, words


def test_defaults_stand_where_nothing_is_said(tmp_path: Path):
    """Without flags, variables and file every value is a default and says so."""
    config = load({}, {}, tmp_path)
    assert config.settings.grpc_port == 4317
    assert {row.source for row in config.rows()} == {"default"}


def test_flag_beats_variable_beats_file(tmp_path: Path):
    """A flag beats a variable, a variable beats the file, and each value names its source."""
    (tmp_path / "tracegrade.toml").write_text("grpc-port = 1\nhttp_port = 2\nhost = '::1'\n")
    config = load(
        {"grpc_port": 5, "http_port": None}, {"TRACEGRADE_GRPC_PORT": "4", "TRACEGRADE_HTTP_PORT": "3"}, tmp_path
    )
    assert (config.settings.grpc_port, config.settings.http_port, config.settings.host) == (5, 3, "::1")
    assert config.sources["grpc_port"] == "--grpc-port"
    assert config.sources["http_port"] == "TRACEGRADE_HTTP_PORT"
    assert config.sources["host"].endswith("tracegrade.toml")


def test_all_mistakes_are_reported_at_once(tmp_path: Path):
    """Each wrong value and each unknown name gets its own sentence, unknown names with the nearest right one."""
    (tmp_path / "tracegrade.toml").write_text("grpc_prot = 1\nhttp_port = 99999\nread_port = 1.5\n")
    with pytest.raises(ConfigError) as caught:
        load({"sql_rows": 0}, {"TRACEGRADE_STOER": "x", "TRACEGRADE_SQL_SECONDS": "soon"}, tmp_path)
    text = str(caught.value)
    assert len(caught.value.problems) == 6
    assert "did you mean grpc_port" in text
    assert "did you mean TRACEGRADE_STORE" in text
    assert "TRACEGRADE_SQL_SECONDS: sql_seconds: it must be a number" in text


def test_a_broken_file_is_named(tmp_path: Path):
    """A file that is no TOML is reported with its path."""
    (tmp_path / "tracegrade.toml").write_text("= 1")
    with pytest.raises(ConfigError, match=r"tracegrade\.toml"):
        load({}, {}, tmp_path)


def test_the_read_token_is_no_setting(tmp_path: Path):
    """The token's variable is neither shown nor taken for a misspelt setting."""
    assert load({}, {"TRACEGRADE_READ_TOKEN": "secret"}, tmp_path).settings == load({}, {}, tmp_path).settings


def test_truths_have_several_words(tmp_path: Path):
    """A setting that is true or false takes the usual words from variables and TOML's own from the file."""
    for word, truth in (("true", True), ("1", True), ("YES", True), ("false", False), ("0", False), ("no", False)):
        assert load({}, {"TRACEGRADE_INSECURE": word}, tmp_path).settings.insecure is truth
    (tmp_path / "tracegrade.toml").write_text("insecure = true\n")
    assert load({}, {}, tmp_path).settings.insecure is True
    for wrong in ("maybe", ""):
        with pytest.raises(ConfigError, match="it must be true or false"):
            load({}, {"TRACEGRADE_INSECURE": wrong}, tmp_path)


@pytest.mark.parametrize("wrong", ["*", "app.example.com", "https://app.example.com/", "https://a.example, *"])
def test_pages_are_named_one_by_one(tmp_path: Path, wrong: str):
    """Origins are a list of scheme and host; the star for all of them is not taken (H-17)."""
    right = load({}, {"TRACEGRADE_CORS_ORIGINS": "https://a.example, http://localhost:3000"}, tmp_path).settings
    assert words(right.cors_origins) == ["https://a.example", "http://localhost:3000"]
    with pytest.raises(ConfigError, match="is no origin"):
        load({"cors_origins": wrong}, {}, tmp_path)


@given(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.integers())))
def test_any_flag_value_is_taken_or_refused_with_a_sentence(value: object):
    """Whatever is given for a number, the answer is a number in range or a ConfigError."""
    try:
        port = load({"grpc_port": value}, {}, Path("/nonexistent")).settings.grpc_port
    except ConfigError:
        port = 0
    assert 0 <= port <= 65_535
