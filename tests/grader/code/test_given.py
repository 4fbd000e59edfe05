"""Which of what is given a function takes."""

from typing import Any

import pytest

from grader.code.given import CannotBeCalledError, takes_context, wanted


def two(sample: Any, output: Any) -> None: ...
def three(sample: Any, output: Any, ctx: Any) -> None: ...
def other(a: Any, b: Any, c: Any) -> None: ...
def optional(sample: Any, output: Any, ctx: Any = None) -> None: ...
def setting(sample: Any, output: Any, strict: bool = False) -> None: ...
def free(*given: Any, **named: Any) -> None: ...
def one(sample: Any) -> None: ...
def four(sample: Any, output: Any, ctx: Any, more: Any) -> None: ...
def demanding(sample: Any, output: Any, *, strict: bool) -> None: ...
async def later(sample: Any, output: Any) -> None: ...
def several(sample: Any, output: Any) -> Any:
    yield 1


@pytest.mark.parametrize(
    ("function", "takes"),
    [(two, False), (three, True), (other, True), (optional, True), (setting, False), (free, False), (max, False)],
)
def test_a_third_place_takes_the_context(function: Any, takes: bool) -> None:
    """Where it must be filled, or says that it is meant; a setting of the function's own stays as it is."""
    assert takes_context(function) is takes


@pytest.mark.parametrize("function", [one, four, demanding, later, several])
def test_what_cannot_be_called_with_two_or_three(function: Any) -> None:
    """Is told before anything is called."""
    with pytest.raises(CannotBeCalledError):
        takes_context(function)


def by_name(reply: Any, run: Any) -> None: ...
def all_named(*, run: Any, reply: Any, context: Any, strict: bool = False) -> None: ...
def placed(reply: Any, /) -> None: ...
def unknown(reply: Any, output: Any) -> None: ...
def nothing() -> None: ...


@pytest.mark.parametrize(("function", "takes"), [(by_name, ("run", "reply")), (all_named, ("run", "reply", "context"))])
def test_native_functions_take_by_name(function: Any, takes: Any) -> None:
    """In whatever order they write them."""
    assert wanted(function) == takes


@pytest.mark.parametrize("function", [placed, unknown, nothing, two, later])
def test_what_takes_nothing_known_or_needs_more(function: Any) -> None:
    """Is told before anything is called."""
    with pytest.raises(CannotBeCalledError):
        wanted(function)
