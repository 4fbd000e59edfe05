"""A job's messages for the terminal: who said it, folded at the console's width, with the calls that it asks for."""

from collections.abc import Sequence

from rich.text import Text
from rich.tree import Tree

from collector.cli.render.text import brief
from collector.message import Message
from collector.printable import clean

STYLES = {"system": "magenta", "user": "bold", "assistant": "green", "tool": "cyan"}


def add_conversation(parent: Tree, messages: Sequence[Message]) -> None:
    """One branch with a leaf a message, in order."""
    count = len(messages)
    branch = parent.add(Text(f"{count} message{'' if count == 1 else 's'}", style="dim"))
    names = {call["id"]: call["name"] for message in messages for call in message.calls if call["id"]}
    for message in messages:
        branch.add(_leaf(message, names))


def _leaf(message: Message, names: dict[str, str | None]) -> Text:
    text = Text(overflow="fold")
    text.append(clean(message.role), STYLES.get(message.role, ""))
    if message.call_id is not None:
        text.append(f" {clean(names.get(message.call_id) or message.call_id)}", "dim")
    if message.flags:
        text.append(f" ({clean(', '.join(message.flags))})", "yellow")
    if message.text is not None:
        text.append(" ")
        text.append(brief(message.text))
    for call in message.calls:
        text.append(" → ", "dim")
        text.append(clean(call["name"] or "?"), "cyan")
    return text
