"""The files of docker/ taken apart."""

import json
import shlex
from pathlib import Path
from typing import Any, NamedTuple

from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"


class Step(NamedTuple):
    """One instruction of a Dockerfile, and the number of its stage (from 0)."""

    stage: int
    name: str
    text: str


def steps() -> list[Step]:
    """The Dockerfile's instructions in order."""
    lines = [line for line in (DOCKER / "Dockerfile").read_text().splitlines() if not line.lstrip().startswith("#")]
    found, stage = [], -1
    for instruction in filter(str.strip, "\n".join(lines).replace("\\\n", " ").splitlines()):
        name, _, text = instruction.strip().partition(" ")
        stage += name == "FROM"
        found.append(Step(stage, name, " ".join(text.split())))
    return found


def of(name: str, stage: int | None = None) -> list[str]:
    """The texts of all instructions of one name, in a stage or in all."""
    return [step.text for step in steps() if step.name == name and stage in (None, step.stage)]


def environment(folder: Path) -> dict[str, str]:
    """The image's variables, with `folder` in the place of /data; PATH is left as it is here."""
    pairs = [pair.partition("=") for text in of("ENV") for pair in shlex.split(text)]
    return {name: value.replace("/data", str(folder)) for name, _, value in pairs if name != "PATH"}


def command() -> list[str]:
    """What a container runs."""
    return json.loads(of("ENTRYPOINT")[0]) + json.loads(of("CMD")[0])


def health() -> list[str]:
    """What a health check runs."""
    return json.loads(of("HEALTHCHECK")[0].partition(" CMD ")[2])


def read(name: str) -> Any:
    """A YAML file of docker/; a key that stands there twice is an error."""
    return YAML(typ="safe").load(DOCKER / name)


def check_keys(found: Any, allowed: Any, where: str = "") -> None:
    """Fail for a key that `allowed` does not know: nested dicts, in which `*` stands for any key and None for any value."""
    if isinstance(allowed, dict) and isinstance(found, dict):
        for key, value in found.items():
            assert key in allowed or "*" in allowed, f"{where}: {key} is no key here; there are {sorted(allowed)}"
            check_keys(value, allowed.get(key, allowed.get("*")), f"{where}/{key}")
    elif isinstance(allowed, dict):
        assert found is None, f"{where} must have keys"
