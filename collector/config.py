"""Settings: flag, then environment variable, then `tracegrade.toml`, then default; each value knows where it came from.

All mistakes are reported together, each with its place and, for a misspelt name, the nearest right one.
"""

import difflib
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, NamedTuple

from collector import amounts
from collector.errors import UserError

PREFIX = "TRACEGRADE_"
FILE = "tracegrade.toml"

_ELSEWHERE = frozenset({"TRACEGRADE_READ_TOKEN"})
"""Variables of ours that are no settings: a secret is not shown with the settings."""


class ConfigError(UserError):
    """Settings that cannot be used; `problems` has a sentence for each mistake."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def _setting(default: Any, check: "Callable[[Any], str | None]", text: str) -> Any:
    return field(default=default, metadata={"check": check, "help": text})


HIGHEST_PORT = 65_535


def _port(value: int) -> str | None:
    return None if 0 <= value <= HIGHEST_PORT else "a port is a number from 0 to 65535"


def _positive(value: float) -> str | None:
    return None if value > 0 else "it must be more than 0"


def _not_negative(value: float) -> str | None:
    return None if value >= 0 else "it must be 0 or more"


def _any(_value: object) -> str | None:
    return None


def _amount(read: Callable[[str], object]) -> "Callable[[str], str | None]":
    def check(value: str) -> str | None:
        try:
            return None if not value or read(value) else "it must be more than 0"
        except ValueError as wrong:
            return str(wrong)

    return check


def _drop_or_refuse(value: str) -> str | None:
    return None if value in {"drop", "refuse"} else "it must be drop or refuse"


def _text(value: str) -> str | None:
    return None if value else "it must not be empty"


def _any(_value: Any) -> str | None:
    return None


def _origins(value: str) -> str | None:
    wrong = [origin for origin in words(value) if not re.fullmatch(r"https?://[A-Za-z0-9.:\[\]_-]+", origin)]
    return f"{wrong[0]} is no origin; one looks like https://app.example.com, and * is not taken" if wrong else None


def words(value: str) -> list[str]:
    """The parts of a setting that is a list, separated by commas."""
    return [part.strip() for part in value.split(",") if part.strip()]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Every setting with its default. Sizes in bytes, times in seconds."""

    store: str = _setting("tracegrade.duckdb", _text, "the store: a file, or a running collector's URL")
    host: str = _setting("127.0.0.1", _text, "the address to listen on; this machine alone by default")
    grpc_port: int = _setting(4317, _port, "OTLP/gRPC; 0 picks a free port")
    http_port: int = _setting(4318, _port, "OTLP/HTTP; 0 picks a free port")
    read_port: int = _setting(0, _port, "the read endpoint; 0 picks a free port")
    read_host: str = _setting(
        "127.0.0.1", _text, "the read endpoint's address; one that other machines reach needs a read token"
    )
    ingest_token_file: str = _setting("", _any, "a file of ingest tokens, one a line; read again when it changes")
    token_bytes_per_second: str = _setting(
        "",
        _amount(amounts.size),
        "what an ingest token without a limit of its own may send a second, such as 5MB; empty: all",
    )
    token_in_flight_bytes: str = _setting(
        "", _amount(amounts.size), "what it may have in memory at the same time, such as 32MB; empty: all"
    )
    read_token_file: str = _setting("", _any, "a file of read tokens, one a line; read again when it changes")
    insecure: bool = _setting(
        False, _any, "take spans from anybody at an address that other machines reach, while there is no ingest token"
    )
    tls_cert: str = _setting("", _any, "the server's certificate with its chain (PEM); read again when it changes")
    tls_key: str = _setting("", _any, "its private key (PEM, without a password)")
    tls_client_ca: str = _setting("", _any, "exporters must show a certificate that one of these signed (PEM)")
    cors_origins: str = _setting("", _origins, "web pages that may send to OTLP/HTTP: origins, separated by commas")
    request_bytes: int = _setting(64 << 20, _positive, "largest request, also after decompression (OTLP: 64 MiB)")
    in_flight_bytes: int = _setting(256 << 20, _positive, "request bodies and decoded rows in memory at the same time")
    connections: int = _setting(512, _positive, "open HTTP connections, and as many of gRPC")
    peer_connections: int = _setting(256, _positive, "open HTTP connections from one address, and as many of gRPC")
    header_seconds: float = _setting(10.0, _positive, "longest time for the head of a request")
    body_idle_seconds: float = _setting(10.0, _positive, "longest pause within a body")
    idle_seconds: float = _setting(
        60.0, _positive, "a connection without requests (of gRPC: and pings) is closed after this"
    )
    metrics: Literal["drop", "refuse"] = _setting("drop", _drop_or_refuse, "drop: accept metrics and keep none; refuse")
    group_seconds: float = _setting(0.0, _not_negative, "how long a commit waits for more requests")
    group_rows: int = _setting(5_000, _positive, "rows that fill a commit")
    group_bytes: int = _setting(4 << 20, _positive, "bytes that fill a commit")
    log_bytes: int = _setting(24 << 20, _positive, "size of the database's log at which it is written into the file")
    free_disk_bytes: int = _setting(
        1 << 30, _not_negative, "room on the disk below which requests are refused; 0: none"
    )
    settle_quiet_seconds: float = _setting(1.0, _not_negative, "a trace gets its tree when nothing came for this long")
    settle_longest_seconds: float = _setting(10.0, _not_negative, "a trace that never falls silent gets one this often")
    open_seconds: float = _setting(10.0, _not_negative, "a run counts as open until it was quiet for this long")
    redact: str = _setting("", _any, "a file of redaction rules, applied before anything is stored; empty: none")
    redact_secrets: bool = _setting(True, _any, "mask API keys, bearer tokens, private keys and the like")
    keep: str = _setting("", _amount(amounts.seconds), "runs without evidence for so long go, such as 30d; empty: none")
    keep_bytes: str = _setting(
        "", _amount(amounts.size), "largest file, such as 10GB: the oldest runs go; empty: any size"
    )
    grade_workers: int = _setting(0, _not_negative, "processes that judge at the same time (many runs); 0: one a core")
    code_seconds: float = _setting(10.0, _positive, "longest time of one call of a suite's own function (--allow-code)")
    judge_calls: int = _setting(16, _positive, "calls of judge models in flight at the same time")
    sql_rows: int = _setting(10_000, _positive, "most rows of a free SQL statement")
    sql_seconds: float = _setting(10.0, _positive, "longest time of a free SQL statement")
    sql_age_seconds: float = _setting(
        5.0, _not_negative, "how old its answer may be where much has just arrived; 0: never"
    )
    sql_memory_bytes: int = _setting(1 << 30, _positive, "memory that a free SQL statement may take")
    memory_bytes: int = _setting(
        0, _not_negative, "memory for the database; 0: a quarter of the machine's, at most 1 GiB"
    )
    drain_seconds: float = _setting(10.0, _not_negative, "longest time to finish requests when stopping")


class Setting(NamedTuple):
    """One setting as `tracegrade config` shows it."""

    name: str
    value: Any
    source: str
    """default, a file with its path, a variable's name, or a flag's."""
    help: str


@dataclass(frozen=True)
class Config:
    """The settings, and where each came from."""

    settings: Settings
    sources: Mapping[str, str]

    def rows(self) -> list[Setting]:
        """All settings in order."""
        return [
            Setting(f.name, getattr(self.settings, f.name), self.sources[f.name], f.metadata["help"])
            for f in fields(Settings)
        ]


_FIELDS = {f.name: f for f in fields(Settings)}
_TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def load(
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Config:
    """The settings in force. `flags` maps setting names to values, None for a flag that was not given.

    `environment` is the process's own, and `folder` (where tracegrade.toml may lie) the current one, unless given.
    Raises ConfigError with all mistakes.
    """
    problems: list[str] = []
    values: dict[str, Any] = {}
    sources = dict.fromkeys(_FIELDS, "default")
    for source, name, value in (
        *_from_file((folder or Path.cwd()) / FILE, problems),
        *_from_environment(os.environ if environment is None else environment, problems),
        *((_flag(name), name, value) for name, value in (flags or {}).items() if value is not None),
    ):
        if name not in _FIELDS:
            problems.append(f"{source}: there is no setting {name}{_nearest(name, list(_FIELDS))}.")
            continue
        try:
            values[name] = _converted(name, value)
            sources[name] = source
        except ValueError as error:
            problems.append(f"{source}: {name}: {error}.")
    if problems:
        raise ConfigError(problems)
    return Config(Settings(**values), sources)


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _from_file(path: Path, problems: list[str]) -> list[tuple[str, str, Any]]:
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        problems.append(f"{path}: {error}.")
        return []
    return [(str(path), name.replace("-", "_"), value) for name, value in raw.items()]


def _from_environment(environment: Mapping[str, str], problems: list[str]) -> list[tuple[str, str, Any]]:
    found = []
    for variable in sorted(v for v in environment if v.startswith(PREFIX) and v not in _ELSEWHERE):
        name = variable.removeprefix(PREFIX).lower()
        if name in _FIELDS:
            found.append((variable, name, environment[variable]))
        else:
            known = [PREFIX + n.upper() for n in _FIELDS]
            problems.append(f"{variable}: no setting has this variable{_nearest(variable, known)}.")
    return found


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {near[0]}" if near else ""


def _converted(name: str, value: Any) -> Any:
    """The value in its setting's type. Raises ValueError with what is wrong."""
    entry = _FIELDS[name]
    kind = type(entry.default)
    if kind is bool:
        value = _truth(value)
    elif kind is not str:
        value = _number(value, kind)
    elif not isinstance(value, str):
        raise ValueError("it must be text")
    if wrong := entry.metadata["check"](value):
        raise ValueError(wrong)
    return value


def _truth(value: Any) -> bool:
    found = value if isinstance(value, bool) else _TRUTHS.get(value.lower()) if isinstance(value, str) else None
    if found is None:
        raise ValueError("it must be true or false")
    return found


def _number(value: Any, kind: type) -> Any:
    word = "a whole number" if kind is int else "a number"
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"it must be {word}")  # noqa: TRY004 -- the person gave a wrong value
    if kind is int and isinstance(value, float):
        raise ValueError(f"it must be {word}")
    try:
        number = kind(value)
    except ValueError:
        raise ValueError(f"it must be {word}") from None
    if number != number or abs(number) == float("inf"):  # noqa: PLR0124 -- only NaN differs from itself
        raise ValueError(f"it must be {word}")
    return number
