"""What processes of free SQL say to each other."""

import os
import socket
import threading

import pytest

from collector.answer import frames


def test_values_and_frames_come_back():
    """A value that is sent is received, also one that is longer than what a socket holds; so is a frame of bytes."""
    here, there = socket.socketpair()
    with here, there:
        value = {"text": "é" * 400_000}
        sender = threading.Thread(target=frames.send, args=(here, value))
        sender.start()
        assert frames.receive(there) == value
        sender.join()
        frames.write(here.fileno(), frames.DATA, b"abc")
        assert frames.FRAME.unpack(frames.exactly(there, frames.FRAME.size)) == (frames.DATA, 3)
        assert frames.exactly(there, 3) == b"abc"


def test_an_end_that_is_gone_is_an_error():
    """Where the other end closed nothing is waited for."""
    here, there = socket.socketpair()
    with here:
        there.close()
        with pytest.raises(EOFError):
            frames.receive(here)


@pytest.mark.parametrize("said", [frames.YES, frames.STALE, b""])
def test_an_order_hands_a_socket_over(said: bytes):
    """The one that obeys gets the order's numbers and a socket; where it does not say yes there is no socket to talk to."""
    here, there = socket.socketpair()
    got: list[tuple[float, ...]] = []

    def obey() -> None:
        order, handles, _flags, _address = socket.recv_fds(there, frames.ORDER.size, 1)
        got.append(frames.ORDER.unpack(order))
        os.write(handles[0], b"hello")
        os.close(handles[0])
        there.sendall(said)
        there.close()

    with here:
        obeying = threading.Thread(target=obey)
        obeying.start()
        peer = frames.order(here, 1.5, 2.5, 3.5)
        obeying.join()
    assert got == [(1.5, 2.5, 3.5)]
    assert (peer is None) == (said != frames.YES)
    if peer is not None:
        with peer:
            assert frames.exactly(peer, 5) == b"hello"
