"""What a server itself says."""

from typing import get_args

import pytest

from collector.web.http2.blocks import encoded
from collector.web.http2.calls import Fault, plainly


@pytest.mark.parametrize("fault", get_args(Fault))
def test_every_fault_has_an_answer(fault: Fault) -> None:
    """In HTTP's own words, a status of a client's or a server's fault."""
    found = {status for status in range(400, 600) if plainly(fault).head == encoded([(":status", str(status))])}
    assert len(found) == 1
