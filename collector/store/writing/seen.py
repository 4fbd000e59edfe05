"""A filter that says "never seen" for certain, and "perhaps seen" else: a Bloom filter that grows.

Looking up every arriving span in the store would cost half of the throughput (measured). Spans that are new,
nearly all, are told apart here in about a microsecond; only what was perhaps seen costs a look at the store. Layers of doubling
size keep the share of false alarms below 1 in 10,000 at 32 bits a key (4 MB a million).
"""

import secrets

import numpy as np

Words = np.ndarray
"""Keys as rows of three unsigned 64-bit numbers."""

BITS_A_KEY = 32
PROBES = 6
FIRST_CAPACITY = 1 << 18

_MIX_A, _MIX_B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


class Seen:
    """Keys that were added. Not safe for several threads: it belongs to the writer's."""

    def __init__(self, capacity: int = FIRST_CAPACITY) -> None:
        # The seed is secret, so that nobody can send ids that all fall on the same bits.
        self._seeds = [np.uint64(secrets.randbits(64) | 1) for _ in range(3)]
        self._layers = [_Layer(max(capacity, FIRST_CAPACITY))]
        self.count = 0

    def add(self, keys: Words) -> None:
        """Remember these keys."""
        while len(keys):
            layer = self._layers[-1]
            if not layer.room:
                layer = _Layer(layer.capacity * 2)
                self._layers.append(layer)
            part, keys = keys[: layer.room], keys[layer.room :]
            layer.add(*self._hashes(part))
            self.count += len(part)

    def perhaps(self, keys: Words) -> np.ndarray:
        """For each key whether it may have been added: False is certain."""
        first, second = self._hashes(keys)
        found = np.zeros(len(keys), dtype=bool)
        for layer in self._layers:
            found |= layer.perhaps(first, second)
        return found

    def _hashes(self, keys: Words) -> tuple[np.ndarray, np.ndarray]:
        mixed = np.zeros(len(keys), dtype=np.uint64)
        for column, seed in enumerate(self._seeds):
            mixed = _mix(mixed ^ (keys[:, column] * seed))
        return mixed, _mix(mixed ^ self._seeds[0]) | np.uint64(1)


class _Layer:
    """One Bloom filter with a number of bits that is a power of two."""

    def __init__(self, capacity: int) -> None:
        self.capacity = 1 << (capacity - 1).bit_length()
        bits = self.capacity * BITS_A_KEY
        self._mask = np.uint64(bits - 1)
        self._bytes = np.zeros(bits // 8, dtype=np.uint8)
        self.room = self.capacity

    def add(self, first: np.ndarray, second: np.ndarray) -> None:
        for probe in range(PROBES):
            at, bit = self._place(first, second, probe)
            np.bitwise_or.at(self._bytes, at, bit)
        self.room -= len(first)

    def perhaps(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        found = np.ones(len(first), dtype=bool)
        for probe in range(PROBES):
            at, bit = self._place(first, second, probe)
            found &= (self._bytes[at] & bit) != 0
        return found

    def _place(self, first: np.ndarray, second: np.ndarray, probe: int) -> tuple[np.ndarray, np.ndarray]:
        position = (first + second * np.uint64(probe)) & self._mask
        at = (position >> np.uint64(3)).astype(np.int64)
        return at, np.left_shift(np.uint8(1), (position & np.uint64(7)).astype(np.uint8))


def _mix(value: np.ndarray) -> np.ndarray:
    """The finalizer of splitmix64: every input bit changes half of the output bits."""
    value = (value ^ (value >> np.uint64(30))) * _MIX_A
    value = (value ^ (value >> np.uint64(27))) * _MIX_B
    return value ^ (value >> np.uint64(31))


def span_words(keys: bytes) -> Words:
    """The words of concatenated keys of 24 bytes: trace id and span id."""
    return np.frombuffer(keys, dtype=np.uint64).reshape(-1, 3)


def log_words(hashes: bytes) -> Words:
    """The words of concatenated content hashes of 16 bytes."""
    words = np.frombuffer(hashes, dtype=np.uint64).reshape(-1, 2)
    return np.column_stack([words, np.full(len(words), 1, dtype=np.uint64)])
