"""Messages in the canonical model."""

from collector.message import Message
from collector.tree import Job


def test_a_new_job_has_said_nothing() -> None:
    """Each job has a list of its own, empty until the normalizer or a reader fills it."""
    one, other = Job("a", "t"), Job("b", "t")
    one.messages.append(Message("user"))
    assert (len(one.messages), other.messages) == (1, [])


def test_a_message_without_words_says_so() -> None:
    """No text is None, never an empty string; lists are never shared."""
    one, other = Message("user"), Message("user")
    one.flags.append("redacted")
    assert (one.text, other.flags, other.calls, other.spans) == (None, [], [], [])
