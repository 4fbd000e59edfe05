"""The file of redaction rules: read whole, refused with all its mistakes."""

from pathlib import Path

import pytest

from collector.redact.rules import BadRules, rules
from collector.redact.secrets import SECRETS


def test_rules_are_read_in_their_order(data: Path):
    """The built-in secrets come first, then the file's rules as they stand."""
    found = rules(str(data / "redact/rules.toml"), secrets=True)
    assert [rule.name for rule in found.rules] == [s.name for s in SECRETS] + ["email", "person", "ssn", "note", "card"]
    assert len(found.hash_key) >= 16


def test_no_file_is_the_built_in_rules_alone():
    """Without a file there are the secrets, and without those nothing."""
    assert len(rules("", secrets=True).rules) == len(SECRETS)
    assert rules("", secrets=False).rules == ()


def test_all_mistakes_are_said_at_once(data: Path):
    """Each mistake has its rule's number and what to do; join keys are refused by name."""
    with pytest.raises(BadRules) as caught:
        rules(str(data / "redact/wrong.toml"), secrets=True)
    said = "\n".join(caught.value.problems)
    for part in (
        "there is no hash_key",
        "rule 1: name must be",
        "rule 1: action must be drop, mask or hash",
        "rule 1: key 'gen_ai.tool.call.id' covers gen_ai.tool.call.id, by which spans are joined",
        "rule 2: prefix 'gen_ai.' covers gen_ai.agent",
        "rule 3: it has key and field",
        "rule 3: field 'tool_call_id' covers tool_call_id",
        "rule 4: it names nothing",
        "rule 5: pattern is no regular expression of RE2",
        "rule 6: pattern matches the empty text",
        "rule 7: jwt is the name of a built-in rule",
        "rule 8: there is no kye",
    ):
        assert part in said, part


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[rule]]\nname="a"\nkey="k"\naction="hash"\n', "needs hash_key_file"),
        ('hash_key_file="none"\n[[rule]]\nname="a"\nkey="k"\naction="hash"\n', "cannot be read"),
        ('hash_key_file="short"\n[[rule]]\nname="a"\nkey="k"\naction="hash"\n', "less than 16 bytes"),
        (
            '[[rule]]\nname="a"\nkey="k"\naction="drop"\n[[rule]]\nname="a"\nkey="l"\naction="drop"\n',
            "two rules are named a",
        ),
        ("rule = 1\n", "[[rule]]"),
        ("[[rule", "cannot be read"),
    ],
)
def test_each_other_mistake_is_said(text: str, said: str, tmp_path: Path):
    """A missing or short key of hashes, names given twice, and what is no TOML."""
    (tmp_path / "short").write_text("abc")
    (tmp_path / "r.toml").write_text(text)
    with pytest.raises(BadRules, match=r"r\.toml") as caught:
        rules(str(tmp_path / "r.toml"), secrets=False)
    assert said in str(caught.value)


def test_X_33_files_that_others_could_change_are_refused(tmp_path: Path):
    """Who may change the rules could switch them off, and who may change the key could guess what was hashed."""
    file, key = tmp_path / "r.toml", tmp_path / "redact.key"
    file.write_text('hash_key_file="redact.key"\n[[rule]]\nname="a"\nkey="k"\naction="hash"\n')
    key.write_bytes(bytes(range(32)))
    assert rules(str(file), secrets=False).rules
    for path in (file, key):
        path.chmod(0o666)
        with pytest.raises(BadRules, match=f"chmod go-w {path}"):
            rules(str(file), secrets=False)
        path.chmod(0o600)


def test_the_version_changes_with_rules_and_key(tmp_path: Path):
    """Another rule or another key of hashes is another version; the same file is the same one."""
    (tmp_path / "k").write_text("0123456789abcdef")
    place = tmp_path / "r.toml"
    place.write_text('hash_key_file="k"\n[[rule]]\nname="a"\nkey="x"\naction="hash"\n')
    first = rules(str(place), secrets=False).version
    assert rules(str(place), secrets=False).version == first
    assert rules(str(place), secrets=True).version != first
    (tmp_path / "k").write_text("fedcba9876543210")
    assert rules(str(place), secrets=False).version != first
