"""From a header to a secret."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.access.credentials import secret


def basic(pair: str) -> str:
    """A header of the scheme Basic."""
    return "Basic " + base64.b64encode(pair.encode()).decode()


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("Bearer abc", "abc"),
        ("bearer   abc ", "abc"),
        ("Bearer%20abc", "abc"),
        ("Bearer%20a%2Bb%3D", "a+b="),
        ("Bearer a%20b", "a%20b"),
        (basic("user:abc"), "abc"),
        (basic(":a:b"), "a:b"),
        ("", None),
        ("Bearer", None),
        ("Bearer ", None),
        ("abc", None),
        ("Token abc", None),
        ("Basic !!!", None),
        (basic("abc"), None),
        ("Basic " + base64.b64encode(b"\xff:\xff").decode(), None),
    ],
)
def test_what_clients_send(header: str, found: str | None):
    """Bearer, Bearer with a percent-encoded space, and Basic with the token as password are understood, nothing else (X-02)."""
    assert secret(header) == found


@given(st.text())
def test_nothing_breaks_it(header: str):
    """Whatever stands in the header, the answer is a text or none."""
    found = secret(header)
    assert found is None or found
