"""A job's messages in the terminal."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.tree import Tree

from collector.cli.render.conversation import add_conversation
from collector.message import Message


def printed(messages: list[Message], width: int = 60) -> list[str]:
    """The messages as a console of this width shows them."""
    console, tree = Console(width=width, color_system=None), Tree("job")
    add_conversation(tree, messages)
    with console.capture() as capture:
        console.print(tree)
    return capture.get().splitlines()


def test_who_says_what_and_asks_for_what() -> None:
    """A leaf a message: its role, its words, its calls; a result under the name of its call; flags in brackets."""
    assert printed([
        Message("user", "Refund\nit", flags=["break"]),
        Message("assistant", "Sure.", [{"id": "c1", "name": "look"}, {"id": None, "name": None}]),
        Message("tool", "mug", call_id="c1"),
        Message("tool", None, call_id="c2", flags=["redacted"]),
    ]) == [
        "job",
        "└── 4 messages",
        "    ├── user (break) Refund\\nit",
        "    ├── assistant Sure. → look → ?",
        "    ├── tool look mug",
        "    └── tool c2 (redacted)",
    ]  # fmt: skip


def test_long_words_are_folded() -> None:
    """A message is told in full, over as many lines as the width asks for."""
    shown = printed([Message("user", "one two three four " * 5)], 40)
    assert len(shown) > 4
    assert " ".join(shown).count("four") == 5


@given(st.text(), st.text(), st.text(), st.integers(30, 100))
def test_any_text_fits_and_is_harmless(role: str, text: str, name: str, width: int) -> None:
    """Whatever a trace holds, each line fits the terminal and none steers it (X-09)."""
    shown = printed([Message(role, text, [{"id": name, "name": name}], name, flags=[role])], width)
    assert all(cell_len(line) <= width for line in shown)
    assert not any(c < " " for line in shown for c in line)
