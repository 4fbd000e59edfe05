"""Which rows the rules must look at."""

import pyarrow as pa

from collector.redact.rules import Rule
from collector.redact.scan import Scan
from collector.redact.suspects import in_columns, in_table

SCAN = Scan([Rule(name="mail", pattern=r"\bann@", action="mask")])
COLUMNS = {"name": ["a", "mail ann@x", None, "b"], "attributes": ["{}", "{}", '{"a":"ann@x"}', '{"a":"joann@x"}']}


def test_rows_are_found_by_any_of_their_texts():
    """The first column has one, the second another; a word that only ends so is none."""
    assert in_columns(COLUMNS, SCAN) == [1, 2]
    assert in_columns({"name": ["a", "b"]}, SCAN) == []
    assert in_columns({}, SCAN) == []


def test_a_table_is_looked_at_as_lists_are():
    """Also one of several pieces, or of a part of one."""
    table = pa.table({name: pa.array(column, pa.string()) for name, column in COLUMNS.items()})
    assert in_table(table, list(COLUMNS), SCAN) == [1, 2]
    assert in_table(pa.concat_tables([table.slice(2), table]), list(COLUMNS), SCAN) == [0, 3, 4]
    assert in_table(table.slice(3), list(COLUMNS), SCAN) == []
