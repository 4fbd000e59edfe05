"""A read endpoint in this process, on a real socket, for tests."""

import asyncio
import itertools
import threading
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager

from collector.access.book import Book
from collector.access.failures import EVERY, Failures
from collector.access.guard import Guard
from collector.access.tokens import Token
from collector.answer.local import LocalStore
from collector.answer.read import ReadEndpoint


@contextmanager
def endpoint(store: LocalStore, token: str, stored: Callable[[], Iterable[Token]] = tuple) -> Generator[str]:
    """The URL of an endpoint over `store`, served by a thread of its own while the block runs.

    `token` is the owner's, `stored` gives further ones. Time goes by so quickly that no failure is one too many.
    """
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    book = Book(stored, owner=token)
    guard = Guard(book, {"read", "owner"}, "always", Failures(itertools.count(0, EVERY).__next__), "Reads")
    server = ReadEndpoint(store, guard, book.reload)
    try:
        yield asyncio.run_coroutine_threadsafe(server.start(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
