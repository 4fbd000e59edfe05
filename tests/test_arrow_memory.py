"""A collector keeps Arrow's freed memory for a while."""

import subprocess
import sys

import pyarrow as pa
import pytest

from collector.arrow_memory import keep

_TAKEN = """
import pyarrow as pa
from collector.arrow_memory import keep
keep()
print(pa.default_memory_pool().backend_name)
array = pa.array(range(100_000))
print(pa.jemalloc_memory_pool().bytes_allocated() >= 800_000)
"""


@pytest.mark.skipif("jemalloc" not in pa.supported_memory_backends(), reason="this pyarrow was built without jemalloc")
def test_memory_is_taken_from_jemalloc():
    """What is allocated afterwards comes from there (in a process of its own: a pool is for all of one)."""
    done = subprocess.run([sys.executable, "-c", _TAKEN], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["jemalloc", "True"]


def test_without_it_nothing_changes(monkeypatch: pytest.MonkeyPatch):
    """A pyarrow that lacks it goes on with what it has."""

    def lacking() -> pa.MemoryPool:
        raise NotImplementedError("This Arrow build does not support jemalloc")

    before = pa.default_memory_pool().backend_name
    monkeypatch.setattr(pa, "jemalloc_memory_pool", lacking)
    keep()
    assert pa.default_memory_pool().backend_name == before
