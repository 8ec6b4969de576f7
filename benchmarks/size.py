"""How large the package is: lines, engines and their arrows, circles of files, longest functions.

``python -m benchmarks.size`` prints it; files are read, not run, but for the table of engines. An import
inside a function counts as an arrow too; one of a package counts for its ``__init__.py`` only where no file
of its is named. Lines of a function are those without its docstring.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from statistics import median

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from altsel.exact.auto import ENGINES

ROOT = Path(__file__).parents[1]
PACKAGES = {"altsel": ROOT / "altsel", "altsel.models": ROOT / "models"}
ROOM = re.compile(r"altsel\.exact\.((?:sources|families)\.\w+)\.")
"""A source's or a family's folder."""
KINDS = ("code", "docstring", "comment", "blank")
LONGEST, LONG_FUNCTION, LONG_FILE, SHORT_FILE = 10, 80, 250, 50
Arrows = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Source:
    """A file: its name as a module, and its text."""

    name: str
    path: Path
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax."""
        return ast.parse(self.text)

    @property
    def room(self) -> str:
        """The folder it is in, of those just below the package."""
        parts = self.name.split(".")
        return ".".join(parts[:2]) if len(parts) > 2 or self.path.name == "__init__.py" else parts[0]

    def lines(self) -> Counter[str]:
        """Count lines by kind."""
        told = set(chain.from_iterable(_span(one) for one in ast.walk(self.tree) if _is_docstring(one)))
        counts: Counter[str] = Counter()
        for number, line in enumerate(self.text.splitlines(), start=1):
            plain = line.strip()
            kind = "docstring" if number in told else "blank" if not plain else "code"
            counts["comment" if kind == "code" and plain.startswith("#") else kind] += 1
        return counts

    def functions(self) -> Iterator[tuple[int, str]]:
        """Give lines and name of each function, those of its docstring left out."""
        for one in ast.walk(self.tree):
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                first = one.body[0]
                yield len(_span(one)) - len(_span(first)) * _is_docstring(first), f"{self.name}.{one.name}"

    def imports(self, known: frozenset[str]) -> frozenset[str]:
        """Name the modules it imports, wherever in the file that is, of those known."""
        found: set[str] = set()
        for one in ast.walk(self.tree):
            if isinstance(one, ast.Import):
                found |= {alias.name for alias in one.names}
            elif isinstance(one, ast.ImportFrom) and one.module:
                whole = {f"{one.module}.{alias.name}" for alias in one.names}
                found |= whole & known or {one.module}
        return frozenset(found & known - {self.name})


def _is_docstring(node: ast.AST) -> bool:
    """Return whether it is a text that stands by itself, under a definition or a constant."""
    return (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and type(node.value.value) is str
    )


def _span(node: ast.AST) -> range:
    assert isinstance(node, ast.stmt)
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def sources() -> list[Source]:
    """Read all files of the package."""
    found = []
    for package, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            if package == "altsel" and path.is_relative_to(folder / "models"):
                continue  # a link to the other folder
            inner = path.relative_to(folder).with_suffix("").parts
            name = ".".join([package, *(part for part in inner if part != "__init__")])
            found.append(Source(name, path, path.read_text()))
    return found


def arrows(files: list[Source]) -> Arrows:
    """Return what each file imports of the others."""
    known = frozenset(one.name for one in files)
    return {one.name: one.imports(known) for one in files}


def circles(found: Arrows) -> list[list[str]]:
    """Return the groups of files that import each other, directly or by others, largest first."""
    place = {name: j for j, name in enumerate(found)}
    pairs = [(place[name], place[other]) for name, others in found.items() for other in others]
    rows, columns = np.array(pairs).T
    graph = csr_array((np.ones(len(pairs)), (rows, columns)), shape=(len(place),) * 2)
    groups = defaultdict(list)
    for name, label in zip(found, connected_components(graph, connection="strong")[1], strict=True):
        groups[int(label)].append(name)
    return sorted((one for one in groups.values() if len(one) > 1), key=len, reverse=True)


def report(files: list[Source]) -> str:
    """Put everything into words."""
    found = arrows(files)
    groups = circles(found)
    told = [
        *_by_room(files),
        "",
        *_lengths(files),
        "",
        *_engines(found),
        "",
        f"circles of files: {len(groups)}",
    ]
    told += [
        f"  {len(group):3} {', '.join(one.removeprefix('altsel.') for one in group)}" for group in groups
    ]
    return "\n".join(told)


def _by_room(files: list[Source]) -> Iterator[str]:
    by_room: dict[str, Counter[str]] = defaultdict(Counter)
    for one in files:
        by_room[one.room] += one.lines() + Counter(files=1)
    yield f"{'':24}{'files':>7}{'lines':>9}" + "".join(f"{kind:>11}" for kind in KINDS)
    for room, counts in [*sorted(by_room.items()), ("all", sum(by_room.values(), Counter[str]()))]:
        lines = [sum(counts[kind] for kind in KINDS), *(counts[kind] for kind in KINDS)]
        yield f"{room:24}{counts['files']:7,}{lines[0]:9,}" + "".join(f"{one:11,}" for one in lines[1:])


def _lengths(files: list[Source]) -> Iterator[str]:
    lengths = [len(one.text.splitlines()) for one in files]
    short, long = sum(one < SHORT_FILE for one in lengths), sum(one > LONG_FILE for one in lengths)
    yield f"files: median {median(lengths):.0f} lines, {short} below {SHORT_FILE}, {long} above {LONG_FILE}"
    functions = sorted(chain.from_iterable(one.functions() for one in files), reverse=True)
    sizes = [size for size, _ in functions]
    over = f"{sum(size > LONG_FUNCTION for size in sizes)} above {LONG_FUNCTION}"
    yield f"functions: {len(sizes):,}, median {median(sizes):.0f} lines, {over}; longest:"
    yield from (f"  {size:4} {name}" for size, name in functions[:LONGEST])


def _engines(found: Arrows) -> Iterator[str]:
    names = dict.fromkeys(one.name for one in ENGINES)
    yield f"engines in the table: {len(names)} in {len(ENGINES)} entries: {', '.join(names)}"
    pairs = {(_room(name), _room(other)) for name, others in found.items() for other in others}
    inside = sorted((one, other) for one, other in pairs if one and other and one != other)
    yield f"arrows among their folders: {len(inside)}"
    yield from (f"  {one} -> {other}" for one, other in inside)
    outside = sorted(
        (name, other)
        for name, others in found.items()
        for other in others
        if _room(other) and not name.startswith("altsel.exact.")
    )
    yield f"arrows to them from outside altsel.exact: {len(outside)}"
    yield from (f"  {name} -> {other}" for name, other in outside)


def _room(name: str) -> str:
    """Return the folder of a source or a family; empty for a file elsewhere."""
    match = ROOM.match(name)
    return match[1] if match else ""


if __name__ == "__main__":
    print(report(sources()))
