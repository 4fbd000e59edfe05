"""May this free SQL run? Decided on DuckDB's own parse of it, against the allow-list of `grammar`.

"SELECT only" is not enough: `WITH x AS (DELETE FROM spans RETURNING *) SELECT * FROM x` is a SELECT statement to DuckDB and
deletes rows. So every node of the tree that `json_serialize_sql` gives is looked at, and one that is not known
to be harmless is refused.
"""

import difflib
import functools
from collections.abc import Iterable
from typing import Any

import duckdb
import orjson

from collector.answer import grammar
from collector.store.errors import RefusedStatement

Names = frozenset[str]

MAX_LENGTH = 100_000
"""Characters; a longer statement is refused before it is parsed."""


def check(text: str, relations: Iterable[str] = ()) -> None:
    """Raise RefusedStatement unless `text` is one SELECT over our views (and `relations`) made of harmless parts."""
    if len(text) > MAX_LENGTH:
        raise RefusedStatement(f"The statement is longer than {MAX_LENGTH:,} characters.")
    _only_one_select(text)
    try:
        _check_parts(text, relations)
    except (orjson.JSONDecodeError, RecursionError):
        raise RefusedStatement("The statement is nested too deeply.") from None


def _check_parts(text: str, relations: Iterable[str]) -> None:
    serialized = _parser().cursor().execute("SELECT json_serialize_sql($text)", {"text": text}).fetchall()[0][0]
    tree = orjson.loads(serialized)
    if tree["error"] or len(tree["statements"]) != 1:
        raise RefusedStatement("Only a plain SELECT statement is allowed here.")
    statement = tree["statements"][0]
    if statement.get("named_param_map"):
        raise RefusedStatement("Parameters ($name, ?) are not allowed here; write the value.")
    _Walk(grammar.RELATIONS.union(relations)).query(statement["node"], frozenset())


def _only_one_select(text: str) -> None:
    try:
        statements = duckdb.extract_statements(text)
        kinds = [statement.type for statement in statements]
    except duckdb.Error as error:
        raise RefusedStatement(str(error)) from None
    except ValueError:  # a kind of statement that the Python module has no name for, such as CONNECT
        raise RefusedStatement("Only SELECT statements are allowed here.") from None
    if len(kinds) != 1:
        raise RefusedStatement(f"Exactly one statement is allowed, not {len(kinds)}.")
    if kinds[0] != duckdb.StatementType.SELECT:
        raise RefusedStatement(f"Only SELECT statements are allowed here, not {kinds[0].name}.")


@functools.cache
def _parser() -> duckdb.DuckDBPyConnection:
    """A database of its own that only parses: nothing of the store is in its reach."""
    return duckdb.connect(":memory:", config={"enable_external_access": "false", "threads": "1"})


class _Walk:
    """One look at every node. `visible` are the CTEs in scope, in lower case: a name is good only where it resolves so."""

    def __init__(self, relations: Names) -> None:
        self._relations = relations

    def query(self, node: dict[str, Any], visible: Names) -> None:
        """A query: its CTEs in order, each seeing those before it, then its parts."""
        if node["type"] not in grammar.QUERY_NODES:
            raise RefusedStatement(
                f"{_spoken(node['type'])} is not allowed inside of a statement; a CTE may only be a SELECT."
            )
        for entry in node["cte_map"]["map"]:
            value = entry["value"]
            self.query(value["query_node"], visible)
            self._parts({k: v for k, v in value.items() if k != "query_node"}, visible)
            visible |= {entry["key"].lower()}
        if node["type"] == "RECURSIVE_CTE_NODE":
            self.query(node["left"], visible)
            self.query(node["right"], visible | {node["cte_name"].lower()})
            node = {k: v for k, v in node.items() if k not in ("left", "right")}
        self._parts({k: v for k, v in node.items() if k not in ("cte_map", "type")}, visible)

    def _parts(self, value: Any, visible: Names) -> None:
        if isinstance(value, list):
            for item in value:
                self._parts(item, visible)
        elif isinstance(value, dict):
            self._node(value, visible)

    def _node(self, node: dict[str, Any], visible: Names) -> None:
        kind = node.get("type")
        if "class" in node:
            self._expression(node)
        elif kind in grammar.QUERY_NODES or str(kind).endswith("_NODE"):
            self.query(node, visible)
            return
        elif kind in grammar.TABLE_NODES:
            node = self._table(node, visible)
        elif kind is not None and kind not in grammar.MODIFIERS | grammar.ORDERS:
            raise RefusedStatement(f"{_spoken(str(kind))} is not allowed here.")
        for item in node.values():
            self._parts(item, visible)

    def _expression(self, node: dict[str, Any]) -> None:
        kind = node["class"]
        if kind not in grammar.EXPRESSIONS:
            raise RefusedStatement(f"{_spoken(kind)} is not allowed here.")
        if kind == "FUNCTION":
            _function(node, grammar.FUNCTIONS)
        elif kind == "WINDOW":
            _function(node, grammar.WINDOWS | grammar.AGGREGATES)

    def _table(self, node: dict[str, Any], visible: Names) -> dict[str, Any]:
        """Refuse a relation that is not allowed; returns what is left to be looked at."""
        if node.get("sample") is not None:
            raise RefusedStatement("TABLESAMPLE is not allowed here.")
        if node["type"] == "BASE_TABLE":
            self._relation(node, visible)
        elif node["type"] == "SHOW_REF" and (node["show_type"] != "DESCRIBE" or node["query"] is None):
            raise RefusedStatement("SHOW and SUMMARIZE are not allowed here; DESCRIBE <view> is.")
        elif node["type"] == "TABLE_FUNCTION":
            function = node["function"]
            if function.get("class") != "FUNCTION":
                raise RefusedStatement("This use of a table function is not allowed here.")
            _function(function, grammar.TABLE_FUNCTIONS)
            return {**node, "function": function["arguments"]}
        return node

    def _relation(self, node: dict[str, Any], visible: Names) -> None:
        path = node["qualified_name"]["path"]
        name = ".".join(path)
        allowed = name in self._relations or (len(path) == 1 and name.lower() in visible)
        if not allowed or node.get("at_clause") is not None:
            near = difflib.get_close_matches(name, self._relations, 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise RefusedStatement(
                f"There is no view {name} to read.{hint} These may be read: {', '.join(sorted(self._relations))}."
            )


def _function(node: dict[str, Any], allowed: Names) -> None:
    path = node["qualified_name"]["path"]
    name = ".".join(path)
    if len(path) != 1 or name.lower() not in allowed or node.get("schema") or node.get("catalog"):
        near = difflib.get_close_matches(name.lower(), allowed, 1)
        hint = f" Did you mean {near[0]}?" if near and near[0] != name.lower() else ""
        raise RefusedStatement(f"The function {name} is not allowed here.{hint}")


def _spoken(kind: str) -> str:
    words = kind.removesuffix("_NODE").removesuffix("_QUERY").replace("_", " ")
    return words.upper()
