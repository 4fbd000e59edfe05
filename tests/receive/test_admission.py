"""The budget of bytes in flight."""

from concurrent.futures import ThreadPoolExecutor

from collector.access.quota import Portion, Quota, Tenant
from collector.receive.admission import ByteBudget, PortionedBudget


def test_bytes_are_bounded():
    """What does not fit is refused until something is given back."""
    budget = ByteBudget(100)
    assert budget.take(60)
    assert not budget.take(50)
    budget.give(60)
    assert budget.take(50)
    assert budget.taken == 50


def test_nearly_full_is_full():
    """With less than a sixteenth left one had better not be sent anything."""
    budget = ByteBudget(160)
    assert budget.take(150)
    assert not budget.full
    assert budget.take(1)
    assert budget.full


def test_one_request_always_fits():
    """A request larger than the budget is taken when it is alone."""
    assert ByteBudget(100).take(500)


def test_threads_lose_no_bytes():
    """Taking and giving from many threads ends where it began."""
    budget = ByteBudget(1000)

    def work(_: int) -> None:
        for _ in range(500):
            if budget.take(300):
                budget.give(300)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert budget.taken == 0


def test_a_body_is_taken_of_its_bearers_quota_too():
    """Both must have room; what one of them refuses is taken of neither (X-06)."""
    total, tenant = ByteBudget(1000), Tenant(Quota(in_flight_bytes=100))
    first, second = (PortionedBudget(total, Portion(tenant)) for _ in range(2))
    assert first.take(80)
    assert not second.take(30)
    assert (total.taken, tenant.in_flight) == (80, 80)
    assert total.take(915)  # another bearer's
    assert not first.take(10)
    assert (total.taken, tenant.in_flight) == (995, 80)
    first.give(80)
    assert (total.taken, tenant.in_flight) == (915, 0)


def test_it_says_what_both_would_grant():
    """A request looks before it takes; readiness is about the memory of all."""
    total, tenant = ByteBudget(1000), Tenant(Quota(in_flight_bytes=100))
    budget = PortionedBudget(total, Portion(tenant))
    assert budget.fits(90)
    assert PortionedBudget(total, Portion(tenant)).take(50)
    assert not budget.fits(90)
    assert not budget.full
    assert total.take(940)
    assert budget.full
    assert budget.taken == 0
