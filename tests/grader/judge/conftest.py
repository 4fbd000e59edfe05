"""A Messages API on this machine, in the SDK's own variables."""

from collections.abc import Iterator

import pytest

from tests.grader.judge.api import Api, serving


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    """The server, and a key that it takes."""
    with serving() as found:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", found.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key")
        yield found
