"""A job's messages, each once: every model call repeats the history before it, and several instrumentations repeat calls.

Histories are laid into one tree of pieces (words, calls, results). A history that goes on from an earlier one walks along
the pieces that are known and adds what is new at its end, so that nothing is compared twice, and two strands (another
prompt, a second choice, a rewritten history) part where they first differ and are never mixed piece by piece. Pieces are
equal by role and words, calls and results by their id. System messages count once, wherever they stand.

Flags of a message (besides the reasons why content cannot be used: redacted, truncated, unreadable_json):

    break        what its model call was given does not repeat what stands above: cut, summed up, rewritten, another strand
    alternative  a further choice of the same model call
    error        a tool message whose result is an error
    not_text     it holds what is neither words nor calls (an image, a request for approval)
"""

from collections.abc import Iterator
from typing import NamedTuple

from collector.message import Message
from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import Node
from collector.normalize.assemble.twins import real_id, unique_id
from collector.normalize.messages import Message as Parsed
from collector.normalize.messages import Part
from collector.normalize.values import as_text, same_key
from collector.tree import Job

Key = tuple[str | None, ...]
Source = tuple[int | None, list[str]]
"""When it was said, and the spans that tell of it."""


MOST_ALIKE = 8
"""Continuations of one place among which a call is looked for by its name and arguments."""


class Piece(NamedTuple):
    """What is compared: the words of a message, one call, one result, or something that is none of them."""

    key: Key
    role: str
    of: Parsed
    text: str | None = None
    part: Part | None = None
    flags: tuple[str, ...] = ()

    @property
    def id(self) -> str | None:
        """The id of the call or of the call that the result is of."""
        return self.part.id if self.part else None


class Place:
    """Where a piece stands in a history: below the piece before it."""

    __slots__ = ("above", "next", "piece")

    def __init__(self, above: "Place | None" = None, piece: Piece | None = None) -> None:
        self.above = above
        self.piece = piece
        self.next: dict[Key, Place] = {}

    def like(self, piece: Piece) -> "Place | None":
        """What follows here and is the same call under another id: some clients write an item's own id into the history."""
        call = piece.part
        if call is None or call.kind != "call" or len(self.next) > MOST_ALIKE:
            return None
        for place in self.next.values():
            known = place.piece.part if place.piece else None
            if known and known.kind == "call" and (known.name, known.value) == (call.name, call.value):
                return place
        return None


def collect(draft: Draft, job: Job) -> list[Message]:
    """The job's conversation; `draft.models` must be the spans of `job.model_calls`.

    From what its model calls were given and made; where none records it, from the messages that the job's spans list.
    """
    talk = _Talk()
    for node, call in zip(draft.models, job.model_calls, strict=True):
        given, made = _recorded(node)
        if given or made:
            talk.hear(given, (call.started, call.spans))
            talk.answer(made, (call.ended, call.spans), call.finish_reason)
    if not talk.messages:
        for node, given, made in _listed(draft):
            source = (node.start or None, [node.id])
            talk.hear(given, source, goes_on=True)
            talk.answer(made, source, None)
    return talk.messages


def _recorded(node: Node) -> tuple[list[Parsed], list[Parsed]]:
    """What a span's model call or agent was given, and what it made."""
    return node.said.messages_in or [], node.said.messages_out or []


def _listed(draft: Draft) -> Iterator[tuple[Node, list[Parsed], list[Parsed]]]:
    """Transcripts; else of each part of the job the longest that one of its spans was given, and the longest that one made."""
    told = [node for node in (*draft.own, *draft.nodes) if node.said.transcript]
    for node in told:
        yield node, (node.said.transcript or [])[node.said.transcript_from :], []
    for part in () if told else draft.parts:
        given, made = zip(*map(_recorded, part.spans), strict=True)
        yield part.main, max(given, key=len), max(made, key=len)


class _Talk:
    """The messages so far, and the tree of the histories in which they stand."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._root = Place()
        self._end = self._root  # of the history that was heard last, its answer included
        self._last = self._root  # of the message that was added last
        self._known: set[Key] = set()
        self._cut = False  # the history that was heard last does not repeat what stands above
        self._read: dict[int, tuple[Parsed, list[Piece]]] = {}  # by id(): most calls hold the same objects
        self._before: tuple[list[Parsed], Place] = ([], self._root)  # what was heard last, and where it ended

    def hear(self, given: list[Parsed], source: Source, *, goes_on: bool = False) -> None:
        """A history; `goes_on` where it is a further part of the conversation whatever it repeats."""
        self._cut = False
        if not given:
            return  # not recorded: what comes next is taken to go on from here
        before, place = self._before
        start = len(before)
        if not start or given[:start] != before:
            start, place = 0, self._root
        fresh: list[Piece] = []
        rest: list[Piece] = []
        for message in given[start:]:
            for piece in self._pieces(message, "user"):
                if piece.role == "system":
                    if piece.key not in self._known:
                        self._known.add(piece.key)
                        (rest or fresh).append(piece)
                elif not rest and (known := place.next.get(piece.key) or place.like(piece)):
                    place = known
                else:
                    rest.append(piece)
        if rest and place.next:
            place, rest, self._cut = self._bridge(place, rest, goes_on=goes_on)
        self._end = self._add([*fresh, *rest], place, source)
        self._before = (given, self._end)

    def answer(self, made: list[Parsed], source: Source, finish: str | None) -> None:
        """What the model made of the history that was heard last."""
        start = self._end
        apart = len(made) > 1 and all(message.finish and not message.calls() for message in made)
        choices = (
            [[message] for message in made] if apart else [made]
        )  # several messages that call: one message's parts
        for number, choice in enumerate(choices):
            place, count = start, len(self.messages)
            rest: list[Piece] = []
            for message in choice:
                for piece in self._pieces(message, "assistant"):
                    if not rest and (known := place.next.get(piece.key)):
                        place = known
                    else:
                        rest.append(piece)
            place = self._add(rest, place, source, alternative=number > 0)
            if number == 0:
                self._end = place
            if len(self.messages) > count and self.messages[-1].finish is None:
                self.messages[-1].finish = finish

    def _bridge(self, place: Place, rest: list[Piece], *, goes_on: bool) -> tuple[Place, list[Piece], bool]:
        """A history that is not the known one continued: where it goes on, what is new of it, whether it was cut.

        It goes on at the end of the conversation if it holds that end, or answers its calls; else it is a strand of its own.
        """
        told = [piece for piece in rest if piece.role != "system"]
        end, length = self._overlap(told)
        if length and (length == end or length > 1 or unique_id(told[end - 1].id)):
            before = [piece for piece in told[: end - length] if piece.key not in self._known]  # a summary, say
            said = [piece for piece in rest if piece.role == "system"]
            return self._end, [*before, *said, *told[end:]], True
        answers = bool(told) and told[0].role == "tool" and ("call", told[0].id, None) in self._known
        if place is self._root and (goes_on or answers):
            return self._end, rest, False
        return place, rest, False

    def _overlap(self, told: list[Piece]) -> tuple[int, int]:
        """The longest end of the conversation that the history holds: where it ends in there, and its length.

        Both are read backwards, and matched in one go (the Z function of the one before the other).
        """
        tail: list[Key | None] = []
        place: Place | None = self._end
        while place is not None and place.piece is not None and len(tail) < len(told):
            tail.append(place.piece.key)
            place = place.above
        both = [*tail, None, *(piece.key for piece in reversed(told))]
        same = [0] * len(both)
        left = right = best = at = 0
        for i in range(1, len(both)):
            reach = min(right - i, same[i - left]) if i < right else 0
            while i + reach < len(both) and both[reach] == both[i + reach]:
                reach += 1
            same[i] = reach
            if i + reach > right:
                left, right = i, i + reach
            if i > len(tail) and reach > best:
                best, at = reach, i - len(tail) - 1
        return len(told) - at, best

    def _add(self, pieces: list[Piece], place: Place, source: Source, *, alternative: bool = False) -> Place:
        """Add messages below a place; a message's words and calls make one, and so do calls that follow it one by one."""
        flag = "alternative" if alternative else "break" if self._cut or place is not self._last else None
        row: Message | None = None
        for piece in pieces:
            if piece.role == "system":
                row = self._start(piece, source)
                continue
            seen = piece.key in self._known and unique_id(piece.id) is not None  # this very call, in another strand
            self._known.add(piece.key)
            place.next[piece.key] = place = Place(place, piece)
            if seen:
                continue
            self._last = place
            call = piece.part if piece.part and piece.part.kind == "call" else None
            if call is None or row is None or row.role != "assistant":
                row = self._start(piece, source)
                if flag:
                    row.flags, flag, self._cut = sorted({*row.flags, flag}), None, False
            if call is not None:
                row.calls.append({"id": call.id, "name": call.name})
        return place

    def _start(self, piece: Piece, source: Source) -> Message:
        at, spans = source
        text = piece.text if piece.part is None else _result(piece.part) if piece.role == "tool" else None
        answers = piece.id if piece.role == "tool" else None
        message = Message(piece.role, text, [], answers, piece.of.finish, at, list(piece.flags), spans)
        self.messages.append(message)
        return message

    def _pieces(self, message: Parsed, nobody: str) -> list[Piece]:
        read = self._read.get(id(message))
        if read is None:
            read = self._read[id(message)] = (message, _taken_apart(message, message.role or nobody))
        return read[1]


def _taken_apart(message: Parsed, role: str) -> list[Piece]:
    """Results first, then the words, then the calls; reasoning is no part of the conversation."""
    if len(message.parts) == 1 and message.parts[0].kind == "text" and (only := message.parts[0].text):
        return [Piece((role, only.strip()), role, message, only)]  # so are most
    pieces: list[Piece] = []
    flags: tuple[str, ...] = ()
    calls: list[Part] = []
    for part in message.parts:
        if part.kind == "result":
            about = [part.value.reason] if part.value and part.value.state != "present" else []
            about += ["error"] if part.failed else []
            pieces.append(Piece(_key(part), "tool", message, part=part, flags=tuple(about)))
        elif part.kind == "call":
            calls.append(part)
        elif part.kind not in ("text", "reasoning"):
            flags = ("redacted" if part.text == "redacted" else "not_text",)
    words = message.text()
    if words is not None or (flags and not calls):
        pieces.append(Piece((role, *flags, words and words.strip()), role, message, words, flags=flags))
    return pieces + [Piece(_key(call), "assistant", message, part=call) for call in calls]


def _key(part: Part) -> Key:
    """A call or a result by its id; by its name and its content where it has none."""
    if key := real_id(part.id):
        return (part.kind, key, None)
    return (part.kind, part.name, same_key(part.value.value) if part.value else "")


def _result(part: Part) -> str | None:
    value = part.value
    return None if value is None or (value.state != "present" and value.value is None) else as_text(value.value)
