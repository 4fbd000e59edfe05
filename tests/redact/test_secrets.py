"""The built-in secrets: found where they are, and nothing else taken for one."""

import json
from pathlib import Path

import pytest

from collector.redact.rules import rules
from collector.redact.scan import Scan
from collector.redact.walk import Walk
from tests import captures

RULES = rules("", secrets=True)
SCAN = Scan(RULES.rules)
A = "Zk3" * 20
FOUND = {
    "openai-key": "sk-" + "proj-" + A[:40],
    "github-token": "gh" + "p_" + A[:36],
    "gitlab-token": "glp" + "at-" + A[:20],
    "aws-key": "AK" + "IA" + "Z3KQ" * 4,
    "google-key": "AI" + "za" + A[:35],
    "slack-token": "xo" + "xb-123456789-" + A[:12],
    "stripe-key": "sk_" + "live_" + A[:24],
    "jwt": f"eyJ{A[:12]}.eyJ{A[:30]}.{A[:40]}",
    "bearer-token": "Authorization: Bearer " + A[:30],
    "url-password": "postgres://shop:hunter22@db:5432/x",
    "private-key": "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIB\nxyz\n-----END RSA PRIVATE KEY-----",
}
"""Put together here, so that no scanner of repositories takes them for real ones."""

HARMLESS = (
    "task-force-of-the-whole-company-at-work-today",
    "sk-short",
    "8f14e45fceea167a5a36dedd4bea2543",
    "call_4488c13ed68741e48d54ac13",
    "msg_01XFDUDYJgAACzvnptvVoYEL",
    "the bearer of bad news",
    "https://example.com:8080/path@2",
    "mailto:someone@example.com",
    "AKIAisnotakey",
    "-----BEGIN CERTIFICATE-----",
)


@pytest.mark.parametrize("name", FOUND)
@pytest.mark.parametrize("wrap", ["{}", "key={};", "one\n{}\ntwo", '{{"a": "{}"}}'])
def test_each_kind_is_masked_alone(name: str, wrap: str):
    """Alone, within a sentence, on a line of its own and in JSON; the words around it stay (X-30)."""
    text = json.dumps({"a": FOUND[name]}) if wrap.startswith("{{") else wrap.format(FOUND[name])
    assert SCAN.may_find(json.dumps({"x": text}))
    seen: list[str] = []
    masked = Walk(RULES).text(text, lambda rule: seen.append(rule.name))
    assert seen == [name]
    assert f"[REDACTED:{name}]" in masked
    assert FOUND[name][-12:] not in masked or name == "url-password"
    assert "hunter22" not in masked
    assert masked.startswith(text[: text.index(FOUND[name][:2])]) if not wrap.startswith("{{") else json.loads(masked)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_looks_alike_stays(text: str):
    """Ids, digests, addresses and words are no secrets."""
    assert Walk(RULES).text(text, lambda rule: pytest.fail(rule.name)) == text


def test_recorded_traces_hold_no_secret():
    """Nothing in any recorded trace of a real framework is taken for a secret: no false alarm."""
    for name in captures.NAMES:
        found = captures.load(name)
        for table, columns in ((found.spans, ("attributes", "events")), (found.logs, ("attributes", "body"))):
            for column in columns:
                text = "\n".join(t for t in table.column(column).to_pylist() if t)
                assert not SCAN.may_find(text), f"{name}: {column}"


def test_the_set_is_all_tested():
    """Each kind of secret has an example here."""
    assert set(FOUND) == {rule.name for rule in RULES.rules}


def test_no_secret_stands_in_the_tests_themselves(data: Path):
    """The files with rules hold none, so that a checkout can be scanned."""
    assert not SCAN.may_find((data / "redact/rules.toml").read_text())
