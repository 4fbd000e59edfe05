"""What is sent over a socket as it is: spoilt by a few bytes, and answered until the server closes."""

import socket
from random import Random


def changed(random: Random, sent: bytes) -> bytes:
    """Now and then a few bytes are others, or gone."""
    if random.random() >= 0.3 or not sent:
        return sent
    at = random.randrange(len(sent))
    return sent[:at] + random.randbytes(random.randrange(3)) + sent[at + random.randrange(4) :]


def answer(port: int, sent: bytes, seconds: float) -> bytes:
    """Send it and the end of the stream; all that comes back. Raises TimeoutError where the server does not close then."""
    found = b""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=seconds) as raw:
            raw.sendall(sent)
            raw.shutdown(socket.SHUT_WR)
            while piece := raw.recv(65536):
                found += piece
    except TimeoutError:
        raise TimeoutError(f"the connection stays open for {seconds} s after the client's end") from None
    except ConnectionError:
        pass  # closed while we still sent
    return found
