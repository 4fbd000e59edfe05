"""How much the bearer of one token may send."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from collector.access.quota import SAVED, Portion, Quota, Tenant


class Clock:
    """Seconds that pass when the test says so."""

    now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def test_a_rate_holds_over_time():
    """What was saved up may come at once; then bytes come at the rate, however they are asked for (X-06)."""
    clock, taken = Clock(), 0
    tenant = Tenant(Quota(bytes_per_second=1000), clock)
    for _ in range(1000):
        clock.now += 0.1
        portion = Portion(tenant)
        if not portion.wait(700):
            assert portion.take(700)
            portion.give(700)
            taken += 700
    assert 100_000 <= taken <= 100_000 + 1000 * SAVED + 700


def test_a_large_request_is_paid_for_afterwards():
    """One that is larger than what is saved up comes in, and the next waits until it is paid for."""
    clock = Clock()
    tenant = Tenant(Quota(bytes_per_second=1000), clock)
    assert tenant.wait(12_000) == 0
    assert tenant.charge(12_000, 0)
    assert tenant.wait(1) == pytest.approx(10)
    clock.now = 9.9
    assert tenant.wait(1) > 0
    clock.now = 10.1
    assert tenant.wait(1) == 0


def test_memory_is_bounded_and_one_request_always_fits():
    """A second request finds no room while the first is there, not even bit by bit; alone any size fits (X-06)."""
    tenant = Tenant(Quota(in_flight_bytes=100))
    first, second = Portion(tenant), Portion(tenant)
    assert first.take(90)
    assert first.take(500)  # as gzip unpacks it
    assert second.wait(20) > 0
    assert second.wait() > 0
    assert not second.take(1)
    first.give(590)
    assert second.wait(20) == 0
    assert second.take(20)
    assert tenant.in_flight == 20


def test_what_is_not_limited_is_free():
    """No quota refuses nothing, and is told from one."""
    tenant = Tenant(Quota())
    assert tenant.charge(1 << 40, 0)
    assert tenant.wait(1 << 40) == 0
    assert not Quota()
    assert Quota(in_flight_bytes=1)


def test_threads_lose_no_bytes():
    """Taking and giving from many threads ends where it began."""
    tenant = Tenant(Quota(in_flight_bytes=1000))

    def work(_: int) -> None:
        for _ in range(500):
            portion = Portion(tenant)
            if portion.take(300):
                portion.give(300)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert tenant.in_flight == 0
