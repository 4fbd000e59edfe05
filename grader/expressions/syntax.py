"""Reads the Python-like language into a checked tree: a white list of nodes, with limits, and all names known (S3-1, S3-2).

Python's own parser reads it; nothing of what it returns is ever run.
"""

import ast
import math
import warnings
from collections.abc import Iterator, Sequence

from grader.expressions.bad_expression import BadExpression, readable
from grader.nearest import nearest

MAX_CHARACTERS = 2_000
MAX_NODES = 400
MAX_DEPTH = 40

CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
"""Written as in JSON; Python's own spellings are read as well."""

_REFUSED: dict[type[ast.AST], str] = {
    ast.Call: "nothing can be called here",
    ast.BinOp: "there is no arithmetic here",
    ast.Lambda: "there are no functions here",
    ast.IfExp: "there is no if … else here; write it with and, or",
    ast.NamedExpr: "nothing can be assigned here; write == to compare",
    ast.JoinedStr: "a text with f before it is computed; write a plain one",
    ast.Starred: "there is no * here",
    ast.Slice: "a part of a list cannot be taken; [0] takes one item",
}
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_COMPARABLE = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is, ast.IsNot)


def parse(source: str, roots: Sequence[str]) -> ast.expr:
    """Reads and checks it.

    Raises:
        BadExpression: it cannot be read, or holds what the language does not have.
    """
    return _Reader(source, roots).read()


def names_of(body: ast.expr) -> Iterator[str]:
    """Roots and dotted paths: `output.row.id` gives output, output.row and output.row.id."""
    for node in ast.walk(body):
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            path = _path(node)
            if path is not None and path.partition(".")[0] not in CONSTANTS:
                yield path


def _path(node: ast.expr) -> str | None:
    """`a.b["c"]` as a.b.c; None where it does not begin with a name, or goes on with something computed."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=inner, attr=name) | ast.Subscript(value=inner, slice=ast.Constant(value=str(name))):
            before = _path(inner)
            return before and f"{before}.{name}"
        case ast.Subscript(value=inner, slice=ast.Constant(value=int(number))):
            before = _path(inner)
            return before and f"{before}.{number}"
    return None


def segment(source: str, node: ast.expr) -> str:
    """The text that a node was read from."""
    start, end = _offset(source, node.col_offset), _offset(source, node.end_col_offset or node.col_offset)
    return source[start:end]


def _flat(source: str) -> str:
    """One line of the same length: line ends and tabs only separate."""
    return source.translate({ord(c): " " for c in "\n\r\t"})


def _offset(source: str, byte: int) -> int:
    """Python counts bytes of UTF-8; people count characters."""
    return len(source.encode()[:byte].decode(errors="ignore"))


class _Reader:
    def __init__(self, source: str, roots: Sequence[str]) -> None:
        self.source = source
        self.roots = tuple(roots)
        self.nodes = 0

    def read(self) -> ast.expr:
        readable(self.source, MAX_CHARACTERS)
        body = self._tree()
        self._rest(body)
        self._check(body, 1)
        return body

    def _tree(self) -> ast.expr:
        indent = len(self.source) - len(self.source.lstrip())
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(_flat(self.source)[indent:], mode="eval")
        except SyntaxError as error:
            if not error.offset:
                raise BadExpression("it ends too early", self.source, len(self.source.rstrip())) from None
            raise BadExpression(self._reason(error, error.offset - 1), self.source, indent + error.offset - 1) from None
        except (ValueError, MemoryError, RecursionError, OverflowError):
            raise BadExpression("it cannot be read: too deep, or a number too long", self.source, indent) from None
        bytes_before = len(self.source[:indent].encode())
        for node in ast.walk(tree.body):
            if isinstance(node, ast.expr):
                node.col_offset += bytes_before
                node.end_col_offset = (node.end_col_offset or 0) + bytes_before
        return tree.body

    def _reason(self, error: SyntaxError, at: int) -> str:
        before = self.source.lstrip()[:at].rstrip()
        if before.endswith("."):
            return 'after a dot comes a name; one that Python keeps for itself is written ["from"]'
        if self.source.lstrip()[at : at + 1] == "=":
            return "nothing can be assigned here; write == to compare"
        return f"it cannot be read: {error.msg}"

    def _rest(self, body: ast.expr) -> None:
        """What stands behind the expression is white space and closing parentheses, no comment that swallows the rest."""
        end = _offset(self.source, body.end_col_offset or 0)
        comment = self.source.find("#", end)
        if comment >= 0:
            raise BadExpression("there are no comments here; write it beside the expression", self.source, comment)

    def _refuse(self, message: str, node: ast.expr, tail: int = 0) -> BadExpression:
        """Points at the node's beginning, or at the last `tail` characters of it."""
        at = _offset(self.source, (node.end_col_offset or 0) if tail else node.col_offset) - tail
        return BadExpression(message, self.source, at)

    def _check(self, node: ast.expr, depth: int) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise self._refuse(f"it has more than {MAX_NODES} parts; make two of it", node)
        if depth > MAX_DEPTH:
            raise self._refuse(f"it is nested more than {MAX_DEPTH} deep", node)
        for child in self._children(node):
            self._check(child, depth + 1)

    def _children(self, node: ast.expr) -> Sequence[ast.expr]:
        """What is below a node that the language has."""
        match node:
            case ast.BoolOp(values=parts):
                return parts
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return (operand,)
            case ast.Compare(left=left, ops=ops, comparators=others) if all(isinstance(op, _COMPARABLE) for op in ops):
                return self._values((left, *others))
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return self._step(node)
        return self._literal(node)

    def _step(self, node: ast.Name | ast.Attribute | ast.Subscript) -> Sequence[ast.expr]:
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if not segment(self.source, node).endswith(name):  # Python normalises names; data does not
            raise self._refuse(f'a name with these letters is written in brackets: ["{name}"]', node, len(name))
        match node:
            case ast.Name(id=name):
                if name not in self.roots and name not in CONSTANTS:
                    known = ", ".join(self.roots)
                    raise self._refuse(f"unknown name {name!r}{nearest(name, self.roots)}; known are {known}", node)
                return ()
            case ast.Attribute(value=inner, attr=name):
                if name.startswith("_"):
                    raise self._refuse(f"a field that begins with _ is out of reach: {name}", node, len(name))
                return (inner,)
        self._key(node.slice)
        return (node.value, node.slice)

    def _literal(self, node: ast.expr) -> Sequence[ast.expr]:
        match node:
            case ast.Constant():
                self._constant(node)
                return ()
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number) as operand):
                if not isinstance(number, bool):
                    return (operand,)
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                return self._values(items)
            case ast.Dict(keys=keys, values=values):
                return self._entries(node, keys, values)
        raise self._refuse(self._why(node), node)

    def _why(self, node: ast.expr) -> str:
        if isinstance(node, _COMPREHENSIONS):
            return "there are no loops here"
        if isinstance(node, ast.UnaryOp):
            return "a sign stands before a number only"
        return _REFUSED.get(type(node), "this is not part of the language")

    def _key(self, key: ast.expr) -> None:
        match key:
            case ast.Constant(value=bool()) | ast.Name(id="true" | "false" | "null"):
                pass
            case ast.Constant(value=int() | str()) | ast.UnaryOp(op=ast.USub()):
                return
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return
            case ast.Slice() | ast.Tuple():
                raise self._refuse(_REFUSED[ast.Slice], key)
        raise self._refuse("in brackets stands a field in quotes or a position", key)

    def _values(self, nodes: Sequence[ast.expr]) -> Sequence[ast.expr]:
        """and, or give a truth, not one of their sides; compared like a side they would mislead."""
        for node in nodes:
            if isinstance(node, ast.BoolOp):
                word = "and" if isinstance(node.op, ast.And) else "or"
                raise self._refuse(f"“{word}” joins conditions; it cannot be compared or listed itself", node)
        return nodes

    def _entries(
        self, node: ast.expr, keys: Sequence[ast.expr | None], values: Sequence[ast.expr]
    ) -> Sequence[ast.expr]:
        for key in keys:
            if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
                raise self._refuse("the keys of an object are texts in quotes", key or node)
        return self._values([*(k for k in keys if k), *values])

    def _constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, str):
            if "\n" in segment(self.source, node):
                raise self._refuse("a text ends on the line on which it begins; write \\n for a line end", node)
        elif isinstance(value, int | float):  # booleans among them
            if not isinstance(value, int) and not math.isfinite(value):
                raise self._refuse("this number is too large", node)
        elif value is not None:
            raise self._refuse("a value is a text, a number, true, false, null, a list or an object", node)


def conjuncts(body: ast.expr) -> Iterator[ast.expr]:
    """The parts that a top-level `and` joins (S3-15); the expression itself where there is none."""
    if isinstance(body, ast.BoolOp) and isinstance(body.op, ast.And):
        for part in body.values:
            yield from conjuncts(part)
    else:
        yield body
