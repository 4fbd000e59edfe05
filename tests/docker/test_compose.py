"""compose.yaml: only keys of the Compose specification that are known here, and parts that fit together."""

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from collector.access.token_file import TokenFile
from collector.config import load
from tests.docker.files import DOCKER, ROOT, check_keys, of, read

DEPENDS = {"*": {"condition": None}}
SERVICE: dict[str, Any] = {
    "image": None,
    "build": {"context": None, "dockerfile": None, "args": {"*": None}},
    "command": None,
    "entrypoint": None,
    "user": None,
    "environment": {"*": None},
    "secrets": None,
    "volumes": None,
    "tmpfs": None,
    "ports": None,
    "profiles": None,
    "read_only": None,
    "cap_drop": None,
    "cap_add": None,
    "security_opt": None,
    "mem_limit": None,
    "network_mode": None,
    "healthcheck": {
        "disable": None,
        "test": None,
        "interval": None,
        "timeout": None,
        "retries": None,
        "start_period": None,
    },
    "stop_grace_period": None,
    "restart": None,
    "depends_on": DEPENDS,
}
"""Keys of a service that the specification has and that this file may use; a new one is looked up there first."""

FILE = read("compose.yaml")
SERVICES: dict[str, dict[str, Any]] = FILE["services"]


def test_every_key_is_one_of_the_specification():
    """No misspelt key: an engine would refuse the file, or leave out what it says."""
    known = {"name": None, "services": {"*": SERVICE}, "secrets": {"*": {"file": None}}, "volumes": {"*": {}}}
    check_keys(FILE, known, "compose.yaml")


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_made_of_what_is_there(name: str):
    """Its secrets, named volumes, files and the services it waits for exist; its condition can come true."""
    service = SERVICES[name]
    assert set(service.get("secrets", ())) <= set(FILE["secrets"])
    for volume in service.get("volumes", ()):
        source = volume.split(":")[0]
        assert (DOCKER / source).is_file() if source.startswith("./") else source in FILE["volumes"]
    if "build" in service:
        assert (DOCKER / service["build"]["context"]).resolve() == ROOT
        assert (ROOT / service["build"]["dockerfile"]).is_file()
        assert set(service["build"].get("args", {})) <= {text.partition("=")[0] for text in of("ARG")}
    for other, wait in service.get("depends_on", {}).items():
        assert wait["condition"] in ("service_started", "service_healthy", "service_completed_successfully")
        assert not SERVICES[other].get("healthcheck", {}).get("disable") or wait["condition"] != "service_healthy"


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_may_do_little(name: str):
    """All have a read-only file system and no capabilities but what a step needs; what runs on is not root."""
    service = SERVICES[name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    if service.get("user") == "0:0":
        assert (service["cap_add"], service["network_mode"]) == (["CHOWN"], "none")
    else:
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert "cap_add" not in service


def test_only_this_machine_reaches_it():
    """Ports are published on loopback, and the collector's own are not published at all."""
    assert "ports" not in SERVICES["tracegrade"]
    assert all(port.startswith("127.0.0.1:") for service in SERVICES.values() for port in service.get("ports", ()))


def test_our_variables_are_settings(tmp_path: Path):
    """Every TRACEGRADE_ variable is a setting; it names the token as a secret, and the folders written to are mounted."""
    ours = SERVICES["tracegrade"]
    given = ours["environment"]
    assert load(
        {}, {k: v for k, v in given.items() if k.startswith("TRACEGRADE_")}, tmp_path
    ).settings.ingest_token_file
    assert given["TRACEGRADE_INGEST_TOKEN_FILE"] == "/run/secrets/" + ours["secrets"][0]
    assert ours["volumes"] == ["store:/data"]
    assert ours["tmpfs"] == ["/tmp"]


def test_the_commands_in_its_head_are_right(tmp_path: Path):
    """The way to make a token gives a file that is taken, where the secret is looked for; services named there exist."""
    head = (DOCKER / "compose.yaml").read_text().partition("\nname:")[0]
    making = re.search(r"mkdir .*", head)
    assert making
    (tmp_path / "docker").mkdir()
    subprocess.run(["bash", "-ec", making[0]], cwd=tmp_path, check=True)
    token = tmp_path / "docker" / FILE["secrets"]["ingest_token"]["file"]
    assert TokenFile(str(token), "ingest").digests()
    assert token.parent.stat().st_mode & 0o777 == 0o700
    for line in re.findall(r"docker compose .*", head):
        words = shlex.split(line)
        assert words[words.index("--file") + 1] == "docker/compose.yaml"
        if {"run", "exec"} & set(words):
            assert set(SERVICES) & set(words)
