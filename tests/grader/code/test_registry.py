"""Keys of functions: who may have one, and what importing a module again does."""

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.code import check
from grader.code.registry import REGISTRY, KeyMistakeError, Registry


@pytest.fixture(autouse=True)
def empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is registered before a test, nor after it."""
    monkeypatch.setattr(REGISTRY, "checks", {})


def test_a_function_stays_what_it_is() -> None:
    """Under the key that is written, else under its own name, with or without brackets."""

    @check("key")
    def first(sample: Any, output: Any) -> bool:
        return bool(sample and output)

    @check
    def second(sample: Any, output: Any) -> bool:
        return True

    @check()
    def third(sample: Any, output: Any) -> bool:
        return True

    assert list(REGISTRY.checks) == ["key", "second", "third"]
    assert (first(1, 1), REGISTRY.checks["key"].function) == (True, first)


def test_who_has_no_name_needs_a_key() -> None:
    """A lambda, and an object that can be called."""

    class Same:
        def __call__(self, sample: Any, output: Any) -> bool:
            return bool(sample == output)

    for nameless in (lambda sample, output: sample == output, Same()):
        with pytest.raises(KeyMistakeError, match="needs a key"):
            check(nameless)
    check("one")(lambda sample, output: sample == output)
    check("two")(Same())
    assert list(REGISTRY.checks) == ["one", "two"]


@pytest.mark.parametrize("key", ["", 3, ["key"]])
def test_a_key_is_a_text(key: Any) -> None:
    """And not an empty one."""
    with pytest.raises(KeyMistakeError, match="must be a text"):
        check(key)


def test_what_is_no_function_is_no_check() -> None:
    """Said where it is registered."""
    with pytest.raises(KeyMistakeError, match="must be a function"):
        check("key")(3)  # ty: ignore


SOURCE = """
from grader.code import check
@check("key")
def {0}(sample, output):
    return {1}
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Writes a module that registers `key`, and imports it (again)."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def imported(name: str, *of: str) -> Any:
        (tmp_path / f"{name}.py").write_text(SOURCE.format(*of))
        importlib.invalidate_caches()
        known = sys.modules.get(name)
        return importlib.import_module(name) if known is None else importlib.reload(known)

    yield imported
    for name in ("registered_one", "registered_two"):
        sys.modules.pop(name, None)


def test_importing_the_module_again_replaces_its_functions(module: Any) -> None:
    """Whatever they are called now."""
    for name, value in (("f", True), ("f", False), ("g", 0.5)):
        module("registered_one", name, str(value))
        assert REGISTRY.checks["key"].function(None, None) == value


def test_another_function_under_the_key_is_refused(module: Any) -> None:
    """Of another module, or of the same one: the first stays."""
    module("registered_one", "f", "1")
    with pytest.raises(KeyMistakeError) as raised:
        module("registered_two", "f", "2")
    assert str(raised.value) == "two functions have the key 'key': registered_one.f and registered_two.f"
    with pytest.raises(KeyMistakeError, match=r"registered_one\.g and registered_one\.g"):
        module("registered_one", "g", '1\n@check("key")\ndef g(sample, output):\n    return 2')
    assert REGISTRY.checks["key"].function(None, None) == 1


def test_where_no_import_made_the_module_the_name_decides() -> None:
    """As in a console, where a function is written anew under its name."""
    registry = Registry()
    for value in (1, 2):
        scope: dict[str, Any] = {"__name__": "__main__"}
        exec(f"def f(sample, output):\n    return {value}\ndef g(sample, output):\n    return 3", scope)
        registry.add("key", scope["f"])
        assert registry.checks["key"].function(None, None) == value
    with pytest.raises(KeyMistakeError):
        registry.add("key", scope["g"])
    registry.forget("__main__")
    assert registry.checks == {}
