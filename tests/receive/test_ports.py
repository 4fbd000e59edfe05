"""Ports, free and taken."""

import os
import socket

import pytest

from collector.errors import PortInUseError, UserError
from collector.receive.ports import holder, require


def test_a_taken_port_is_reported_with_its_holder():
    """The message has the port, the process and what to do."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(PortInUseError, match=rf"port {port} .* process {os.getpid()} \(.+\)\. .*--http-port"):
            require("127.0.0.1", port, "--http-port")
    require("127.0.0.1", port, "--http-port")


def test_nobody_holds_a_free_port():
    """Where nothing listens there is no holder."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert holder(port)
    assert holder(port) is None


def test_port_zero_is_always_free():
    """The system picks one."""
    require("127.0.0.1", 0, "--grpc-port")


def test_an_address_of_another_machine():
    """Where one cannot listen the message says so."""
    with pytest.raises(UserError, match=r"cannot listen on 192\.0\.2\.1"):
        require("192.0.2.1", 4317, "--grpc-port")
