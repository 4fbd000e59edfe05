"""JSON Schema as a pattern."""

import pytest

from grader.conforming import Conforming, check_schema
from grader.patterns import NOTHING_BEFORE

ROW = Conforming({"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}})


def test_a_value_conforms_or_not() -> None:
    """And the miss is the first error in document order, with the number of the others."""
    assert [ROW.match(v, NOTHING_BEFORE) for v in ({"id": 1}, {"id": "1"}, {}, 5)] == [True, False, False, False]
    assert ROW.miss({"id": 1}) == ""
    assert ROW.miss({"id": "1"}) == "id: '1' is not of type 'integer'"
    both = Conforming({"properties": {k: {"type": "integer"} for k in "ab"}})
    assert both.miss({"a": "", "b": ""}) == "a: '' is not of type 'integer' (and 1 more)"


def test_a_schema_is_checked_when_it_is_read() -> None:
    """With what is wrong in it."""
    check_schema({"type": "string"})
    with pytest.raises(ValueError, match="not a JSON Schema"):
        check_schema({"type": "txt"})


def test_an_older_draft_is_kept_where_the_schema_names_it() -> None:
    """In draft 4 a minimum may be exclusive by a boolean."""
    schema = {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 0, "exclusiveMinimum": True}
    check_schema(schema)
    assert Conforming(schema).match(0, NOTHING_BEFORE) is False
