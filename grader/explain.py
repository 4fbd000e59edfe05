"""Turns what pydantic says of a suite into mistakes with a line, a field and the nearest valid name."""

from typing import Any, get_args

from pydantic import BaseModel

from grader.operators import nearest
from grader.pieces import forms
from grader.syntax.mistakes import Mistake
from grader.syntax.yaml12 import Document, Where, dotted


def mistakes(path: str, document: Document, errors: list[Any], root: type[BaseModel]) -> list[Mistake]:
    """One mistake an error."""
    return [_mistake(path, document, error, root) for error in errors]


def _mistake(path: str, document: Document, error: Any, root: type[BaseModel]) -> Mistake:
    where, model = _resolve(error["loc"], root)
    return Mistake(path, document.line(where), dotted(where), _message(error, model))


def _message(error: Any, model: set[type[BaseModel]]) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind == "extra_forbidden":
        known = sorted({n for m in model for n in _fields(m)})
        name = str(error["loc"][-1])
        return f"unknown key {name!r}{nearest(name, known)}{'' if nearest(name, known) else _allowed(known)}"
    if kind in ("model_type", "dict_type"):
        return "must be a mapping of keys to values"
    if kind == "missing":
        return "is missing"
    if kind == "union_tag_not_found":
        return _no_check(error["input"])
    if kind == "literal_error":
        options = [o.strip().strip("'") for o in str(context.get("expected", "")).replace(" or ", ", ").split(",")]
        return f"must be {context.get('expected')}{nearest(str(error['input']), options)}"
    if kind == "value_error":
        return str(context.get("error", error["msg"]))
    return error["msg"].replace("Input should be", "must be")


def _no_check(item: Any) -> str:
    if not isinstance(item, dict):
        return "must be a check such as { called: orders.lookup }"
    known = list(forms())
    there = [k for k in item if k in known]
    if there:
        return f"has {len(there)} checks ({', '.join(there)}); each item has exactly one"
    guesses = [g for k in item if (g := nearest(str(k), known))]
    if guesses:
        key = next(k for k in item if nearest(str(k), known))
        return f"unknown check {key!r}{guesses[0]}"
    found = f"unknown check {next(iter(item))!r}" if item else "no check"
    return f"{found}; known are {', '.join(known)}"


def _allowed(known: list[str]) -> str:
    return f"; allowed here: {', '.join(known)}"


def _fields(model: type[BaseModel]) -> dict[str, Any]:
    return {field.alias or name: field.annotation for name, field in model.model_fields.items()}


def _resolve(loc: tuple[str | int, ...], root: type[BaseModel]) -> tuple[Where, set[type[BaseModel]]]:
    """The place in the file (without pydantic's tags for members of a union), and the models that could stand there."""
    models: set[type[BaseModel]] = {root}
    where: list[str | int] = []
    tagged = False
    known = forms()
    for step in loc:
        if tagged and isinstance(step, str) and step in known:
            models, tagged = {known[step]}, False
            continue
        where.append(step)
        if isinstance(step, int):
            tagged = bool(models & set(known.values()))
            continue
        below = [a for m in models for n, a in _fields(m).items() if n == step]
        found = {m for a in below for m in _models(a)}
        models = found or models
    return tuple(where), models


def _models(annotation: Any) -> set[type[BaseModel]]:
    """Every model that stands in a type."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {annotation}
    return {m for part in get_args(annotation) for m in _models(part)}
