"""The budget of bytes in flight."""

from concurrent.futures import ThreadPoolExecutor

from collector.receive.admission import ByteBudget


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
