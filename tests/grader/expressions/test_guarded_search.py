"""Searches in a process that can be ended."""

import io
import os
import re
import struct
import threading
import time

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.expressions import guarded_search
from grader.expressions.guarded_search import SEARCH, GuardedSearch, TooSlow, answer_questions

HOPELESS = (r"(?=a)(a+)+$", "a" * 60 + "b")


def children() -> list[psutil.Process]:
    """The processes that this one has started."""
    return [c for c in psutil.Process().children() if c.status() != psutil.STATUS_ZOMBIE]


@settings(max_examples=60)
@given(
    st.sampled_from(["a", "(?<=b)a", r"(.)\1", "^$", "ü+", "\ud800"]), st.text(st.characters() | st.sampled_from("abü"))
)
def test_it_answers_as_re_does(pattern: str, text: str) -> None:
    """The same span in characters, for any text."""
    found = re.search(pattern, text)
    assert SEARCH.search(pattern, 0, text) == (found and found.span())


def test_flags_and_large_texts() -> None:
    """Flags arrive, and a text larger than a pipe holds."""
    assert SEARCH.search("A.B", re.IGNORECASE | re.DOTALL, "x" * 3_000_000 + "a\nb") == (3_000_000, 3_000_003)


def test_a_hopeless_search_is_ended_and_the_next_is_answered() -> None:
    """The limit is of computing time; what was ended leaves nothing behind."""
    others = set(children())  # of whatever else runs in this process
    search = GuardedSearch()
    assert search.search("a", 0, "ba") == (1, 2)
    (before,) = [c.pid for c in children() if c not in others]
    with pytest.raises(TooSlow, match="nested repetitions"):
        search.search(HOPELESS[0], 0, HOPELESS[1])
    assert not psutil.pid_exists(before)
    assert search.search("a", 0, "a") == (0, 1)
    search._end()


def test_a_search_over_a_huge_text_is_ended() -> None:
    """Whichever limit comes first, time or memory, ends the process, and that is an answer."""
    with pytest.raises(TooSlow):
        SEARCH.search(r"(?:(?:a|b)(?=[ab]|$))*c", 0, "ab" * 20_000_000)


def test_a_process_that_was_killed_is_replaced() -> None:
    """What the system ends does not end the grading."""
    search = GuardedSearch()
    search.search("a", 0, "a")
    assert search._process is not None
    search._process.kill()
    search._process.wait()
    assert search.search("a", 0, "ba") == (1, 2)
    search._end()


def test_threads_get_their_own_answers() -> None:
    """Questions from several threads do not mix."""
    wrong: list[int] = []

    def ask(number: int) -> None:
        answers = [SEARCH.search("(?<=x)y", 0, "-" * number + "xy") for _ in range(20)]
        wrong.extend(number for answer in answers if answer != (number + 1, number + 2))

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_has_its_own() -> None:
    """A child asks a process of its own, and leaves that of its parent alone."""
    SEARCH.search("a", 0, "a")
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writing, repr(SEARCH.search("a", 0, "ba")).encode())
            SEARCH._end()
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.read() == b"(1, 2)"
    os.waitpid(child, 0)
    assert SEARCH.search("a", 0, "a") == (0, 1)


def test_the_program_answers_question_after_question() -> None:
    """A question is flags, sizes, pattern and text; an answer the span, -1 for none; the end of questions ends it."""
    asked = b"".join(struct.pack(">IIQ", 0, 1, len(t)) + b"a" + t for t in (b"ba", b"b"))
    answers = io.BytesIO()
    answer_questions(io.BytesIO(asked + b"half"), answers)
    assert answers.getvalue() == b"\n" + struct.pack(">qqqq", 1, 2, -1, -1)


def test_the_limit_is_of_computing_time() -> None:
    """Waiting for a hopeless search takes this process no time."""
    start = time.process_time()
    with pytest.raises(TooSlow):
        SEARCH.search(HOPELESS[0], 0, HOPELESS[1])
    assert time.process_time() - start < guarded_search.COMPUTING_SECONDS
