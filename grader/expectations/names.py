"""Names in expectations: functions as `<tool>.<function>` (S4-9, S4-10), skills as `<plugin>/<skill>` (S4-11)."""

from collections.abc import Callable

from grader.nearest import nearest
from grader.scene import tool_and_function
from grader.syntax.foreign import Fields

BUILT_INS = ("oz.delegate", "oz.quarantine", "oz.skill", "oz.read_result")
"""Those whose calls are steps of their own."""


def functions(fields: Fields, key: str) -> list[str]:
    """The functions named there, each once."""
    return _sound(fields, key, _function)


def skills(fields: Fields, key: str) -> list[str]:
    """The skills named there, each once."""
    return _sound(fields, key, _skill)


def _sound(fields: Fields, key: str, mistake: Callable[[str], str | None]) -> list[str]:
    found = list(dict.fromkeys(fields.texts(key, single=True)))
    for message in filter(None, map(mistake, found)):
        fields.wrong(key, message)
    return found


def _function(name: str) -> str | None:
    """What is wrong with the name of a function."""
    tool, function = tool_and_function(name)
    if not tool or not function:
        return f"{name!r} must be written <tool>.<function>"
    if tool == "oz" and name not in BUILT_INS:
        near = nearest(function, [tool_and_function(one)[1] for one in BUILT_INS])
        listed = f"those that do are {', '.join(BUILT_INS)}{near}"
        return f"{name!r} runs inside the agent's loop and leaves no step; {listed}; check what it did with contains or cel"
    return None


def _skill(name: str) -> str | None:
    """What is wrong with the name of a skill."""
    plugin, _, skill = name.rpartition("/")
    return None if plugin and skill else f"{name!r} must be written <plugin>/<skill>"
