"""Checks on the answer itself: exact, contains, regex, json_schema, numeric_tolerance, length (S2-5 to S2-22)."""

from typing import Any

from grader.checks.json_reply import Conforms, Matches, Number
from grader.checks.reply import Both, Length, Same, Search
from grader.conforming import check_schema
from grader.evalstone.datasets import Sample
from grader.evalstone.reading import AS_TEXT, Around, Make, always, path_of, reference, unscored
from grader.expressions.regexes import BadPattern, compile_regex
from grader.patterns import Literal, show
from grader.phrases import Phrase
from grader.replies import number_of
from grader.scene import Primitive
from grader.syntax.foreign import Fields


def exact(fields: Fields, around: Around) -> Make:  # noqa: ARG001
    """A text equals the output's text, any other reference the output as JSON (S2-5 to S2-9)."""
    where = reference(fields)
    case_sensitive, strip = fields.truth_or("case_sensitive", True), fields.truth_or("strip", True)

    def make(sample: Sample) -> Primitive:
        wanted, why = where.of(sample)
        if why:
            return unscored("exact", why)
        if isinstance(wanted, str):
            return Same(text=wanted, case_sensitive=case_sensitive, strip=strip, rendering=AS_TEXT)
        return Matches(path=(), pattern=Literal(wanted))

    return make


def contains(fields: Fields, around: Around) -> Make:  # noqa: ARG001
    """Every needle, or any; the value is the share found (S2-10 to S2-13)."""
    where = reference(fields, "needles", "must_include")
    need = "every" if fields.truth_or("require_all", True) else "any"
    case_sensitive = fields.truth_or("case_sensitive", False)
    if where.literal is not None and _needles(where.literal) is None:
        fields.wrong("needles", "must be a text or a list of texts, none of them empty")

    def make(sample: Sample) -> Primitive:
        raw, why = where.of(sample)
        if why:
            return unscored("contains", why)
        needles = _needles(raw)
        if needles is None:
            return unscored("contains", f"sample {sample.id!r}: {show(raw)} is neither a text nor a list of texts")
        parts = [Phrase(phrase=n, wanted=True, case_sensitive=case_sensitive, rendering=AS_TEXT) for n in needles]
        return Both(parts=tuple(parts), need=need, none="no needles")

    return make


def _needles(raw: Any) -> list[str] | None:
    """A needle or several (S2-13); None for what is none. An empty text would be found everywhere, so it is none."""
    listed = [raw] if isinstance(raw, str) else raw
    if not isinstance(listed, list) or not all(isinstance(n, str) and n for n in listed):
        return None
    return listed


def regex(fields: Fields, around: Around) -> Make:  # noqa: ARG001
    """The pattern is found, or must not be (S2-14)."""
    pattern = fields.text("pattern")
    flags = fields.whole_or("flags", 0, 0)
    wanted = fields.truth_or("must_match", True)
    try:
        compile_regex(pattern, flags=flags)
    except BadPattern as error:
        fields.wrong("flags" if "flag" in str(error) else "pattern", str(error))
        pattern, flags = "", 0
    return always(Search(pattern=pattern, wanted=wanted, flags=flags, slow_is_open=True, rendering=AS_TEXT))


def json_schema(fields: Fields, around: Around) -> Make:  # noqa: ARG001
    """The output is JSON and conforms (S2-15 to S2-18)."""
    if not fields.has("schema"):
        fields.wrong("schema", "is missing")
        return always(unscored("json_schema", "no schema"))
    schema = fields.raw("schema")
    mistake = _schema_mistake(schema)
    if mistake:
        fields.wrong("schema", mistake)
        return always(unscored("json_schema", mistake))
    return always(Conforms(path=(), schema=schema))


def _schema_mistake(schema: Any) -> str:
    if not isinstance(schema, dict):
        return "must be a JSON Schema (a mapping); a pydantic model can be given in Python only"
    draft = schema.get("$schema")
    if draft is not None and not (isinstance(draft, str) and _draft(draft)):
        return f"its $schema {show(draft)} is no draft that is known here"
    try:
        check_schema(schema)
    except ValueError as error:
        return str(error).removeprefix("the schema ")
    return ""


def _draft(name: str) -> Any:
    """The validator of a draft; None where the name is that of none."""
    from jsonschema.validators import validator_for  # noqa: PLC0415 -- as in grader/conforming.py

    return validator_for({"$schema": name}, default=None)  # ty: ignore[invalid-argument-type]  any default is given back


def numeric_tolerance(fields: Fields, around: Around) -> Make:  # noqa: ARG001
    """The output's number, at `output_path` where it is JSON, is near the reference (S2-19, S2-20)."""
    where = reference(fields)
    path = fields.text_or("output_path", None)
    steps = () if path is None else path_of(path)
    absolute, relative = (float(fields.number_or(key, 0.0, 0.0)) for key in ("abs_tol", "rel_tol"))

    def make(sample: Sample) -> Primitive:
        raw, why = where.of(sample)
        if why:
            return unscored("numeric_tolerance", why)
        value = number_of(raw)
        if value is None:
            return unscored("numeric_tolerance", f"the reference {show(raw)} is no number")
        return Number(path=steps, value=value, abs=absolute, rel=relative)

    return make


def length(fields: Fields, around: Around) -> Make:  # noqa: ARG001
    """Within limits, both ends included, of the text without the white space around it (S2-21)."""
    most, least = fields.whole_or("max_chars", None, 0), fields.whole_or("min_chars", 0, 0)
    words = fields.whole_or("max_words", None, 0)
    parts: list[Primitive] = []
    if most is not None or least:
        parts.append(Length(unit="characters", least=least, most=most, rendering=AS_TEXT))
    if words is not None:
        parts.append(Length(unit="words", least=0, most=words, rendering=AS_TEXT))
    if not parts:
        fields.wrong(None, "limits nothing: say max_chars, max_words or min_chars")
    if most is not None and most < least:
        fields.wrong("max_chars", f"is smaller than min_chars ({least})")
    return always(parts[0] if len(parts) == 1 else Both(parts=tuple(parts), measured=False))


def python(fields: Fields, around: Around) -> Make:  # noqa: ARG001
    """Functions are given in Python only (S2-22)."""
    where = "list its module below `imports:` (--allow-code)"
    fields.wrong("type", f"is for Python only: a file cannot hold a function; {where}")
    for key in fields.rest():
        fields.raw(key)
    return always(unscored("python", "a function is needed"))
