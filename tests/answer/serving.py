"""A read endpoint in this process, on a real socket, for tests."""

import asyncio
import threading
from collections.abc import Generator
from contextlib import contextmanager

from collector.answer.read import ReadEndpoint
from collector.store.protocol import Store


@contextmanager
def endpoint(store: Store, token: str) -> Generator[str]:
    """The URL of an endpoint over `store`, served by a thread of its own while the block runs."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    server = ReadEndpoint(store, token)
    try:
        yield asyncio.run_coroutine_threadsafe(server.start(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
