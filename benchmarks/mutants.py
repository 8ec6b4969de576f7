"""Small changes of source text that a good test should notice: found by `ast`, one at a time."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeGuard

COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">")),
    ast.LtE: ("<=", ("<", ">=")),
    ast.Gt: (">", (">=", "<")),
    ast.GtE: (">=", (">", "<=")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
NAMES = [("min", "max"), ("argmin", "argmax"), ("minimum", "maximum"), ("all", "any"), ("floor", "ceil")]
SWAPPED = dict(NAMES) | {two: one for one, two in NAMES}
TOLERANCE = 1e-3
"""Numbers below this are tolerances: a factor of ten would not matter to most tests."""
Edit = tuple[int, int, str]
"""First and last byte, and what to put there."""


@dataclass(frozen=True)
class Mutant:
    """One changed file: the function changed (none for code at the top), the first line that differs."""

    file: str
    function: str
    line: int
    before: str
    after: str
    source: str


@dataclass(frozen=True)
class Candidate:
    """An edit of a file that is not made yet."""

    file: str
    function: str
    edit: Edit


def candidates(file: str, source: str) -> list[Candidate]:
    """List the edits of a file."""
    return [Candidate(file, function, edit) for function, edit in _edits(ast.parse(source), _Text(source))]


def mutant(one: Candidate, source: str) -> Mutant | None:
    """Make an edit; None if the text is then no program, or the same one."""
    low, high, new = one.edit
    raw = source.encode()
    changed = (raw[:low] + new.encode() + raw[high:]).decode()
    try:
        if ast.dump(ast.parse(changed)) == ast.dump(ast.parse(source)):
            return None
    except SyntaxError:
        return None
    lines = zip(source.splitlines(), changed.splitlines(), strict=False)
    for number, (before, after) in enumerate(lines, 1):
        if before != after:
            return Mutant(one.file, one.function, number, before.strip(), after.strip(), changed)
    return None


class _Text:
    """Source text addressed as `ast` does, by lines and bytes."""

    def __init__(self, source: str) -> None:
        self.bytes = source.encode()
        self._starts = [0]
        for line in self.bytes.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def start(self, node: ast.expr | ast.stmt | ast.keyword) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt | ast.keyword) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def between(self, low: int, high: int, old: str, new: str) -> Iterator[Edit]:
        """Replace an operator in what stands between two operands."""
        gap = self.bytes[low:high].decode()
        pattern = rf"\b{old}\b" if old[0].isalpha() else re.escape(old)
        yield low, high, re.sub(pattern, new, gap, count=1)

    def instead(self, node: ast.expr | ast.stmt, new: str) -> Edit:
        return self.start(node), self.end(node), new

    def of(self, node: ast.expr) -> str:
        return self.bytes[self.start(node) : self.end(node)].decode()


def _edits(node: ast.AST, text: _Text, outer: str = "", function: str = "") -> Iterator[tuple[str, Edit]]:
    """Walk all code but messages and annotations; name the function that each edit is in, as Python does."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        name = outer + node.name
        inside = isinstance(node, ast.FunctionDef)
        outer, function = (f"{name}.<locals>.", name) if inside else (f"{name}.", "")
    for child in ast.iter_child_nodes(node):
        if _is_code(child, node):
            yield from ((function, edit) for edit in _of_node(child, text))
            yield from _edits(child, text, outer, function)


def _is_code(node: ast.AST, parent: ast.AST) -> bool:
    """Leave out what tells rather than does."""
    if isinstance(node, (ast.Raise, ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom, ast.arguments)):
        return False
    if node is getattr(parent, "annotation", None) or node is getattr(parent, "returns", None):
        return False
    if node in getattr(parent, "decorator_list", []) or (
        isinstance(parent, ast.ClassDef) and node in parent.bases
    ):
        return False
    if isinstance(node, ast.Expr):
        call = node.value
        return isinstance(call, ast.Call) and not ast.unparse(call.func).startswith(
            ("log.", "logger.", "warnings.")
        )
    return True


def _of_node(node: ast.AST, text: _Text) -> Iterator[Edit]:
    if isinstance(node, (ast.Compare, ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.AugAssign)):
        yield from _operators(node, text)
    elif isinstance(node, ast.Constant):
        yield from (text.instead(node, new) for new in _other_constants(node.value))
    elif isinstance(node, (ast.Name, ast.Attribute)):
        name = node.id if isinstance(node, ast.Name) else node.attr
        if name in SWAPPED:
            yield text.end(node) - len(name), text.end(node), SWAPPED[name]
    elif isinstance(node, ast.Call):
        for keyword in node.keywords:
            comma = re.match(rb"\s*,?\s*", text.bytes[text.end(keyword) :])
            yield text.start(keyword), text.end(keyword) + (comma.end() if comma else 0), ""
    elif isinstance(node, ast.Slice):
        for end in (node.lower, node.upper):
            if end is not None and not isinstance(end, ast.Constant):
                yield text.instead(end, f"({text.of(end)}) - 1")
    elif isinstance(node, (ast.If, ast.IfExp)):
        yield from (text.instead(node.test, new) for new in ("True", "False"))
    if _can_go(node):
        yield text.instead(node, "pass")


def _can_go(node: ast.AST) -> TypeGuard[ast.stmt]:
    """Return whether a statement can be left out, and no name is then missing."""
    if isinstance(node, ast.Assign):
        return not any(isinstance(target, (ast.Name, ast.Tuple)) for target in node.targets)
    bare = isinstance(node, ast.Return) and node.value is None
    return bare or isinstance(node, (ast.Expr, ast.AugAssign, ast.Break, ast.Continue))


def _operators(
    node: ast.Compare | ast.BinOp | ast.BoolOp | ast.UnaryOp | ast.AugAssign, text: _Text
) -> Iterator[Edit]:
    if isinstance(node, ast.Compare):
        for (left, right), op in zip(pairwise([node.left, *node.comparators]), node.ops, strict=True):
            old, others = COMPARISONS[type(op)]
            for new in others:
                yield from text.between(text.end(left), text.start(right), old, new)
    elif isinstance(node, ast.BoolOp):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in pairwise(node.values):
            yield from text.between(text.end(left), text.start(right), old, new)
    elif isinstance(node, ast.UnaryOp):
        old = {ast.Not: "not", ast.USub: "-", ast.Invert: "~"}.get(type(node.op), "+")
        yield from text.between(text.start(node), text.start(node.operand), old, "")
    elif type(node.op) in ARITHMETIC:
        old, new = ARITHMETIC[type(node.op)]
        left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
        yield from text.between(text.end(left), text.start(right), old, new)


def _other_constants(value: object) -> list[str]:
    if isinstance(value, bool):
        return [str(not value)]
    if isinstance(value, int):
        return {0: ["1"], 1: ["0", "2"]}.get(value, [str(value + 1), str(value * 10)])
    if isinstance(value, float):
        return ["1.0"] if value == 0 else [repr(value * (1e4 if abs(value) < TOLERANCE else 10))]
    return []
