"""Text is written in the same bytes on all systems: whatever opens a file says encoding and ends of lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.conftest import ROOT


def opening(tree: ast.AST) -> Iterator[tuple[int, str, set[str | None]]]:
    """Yield the calls that write a text file, or read one whole: line, method, names of the arguments."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        method = getattr(node.func, "attr", getattr(node.func, "id", ""))
        modes = [one.value for one in node.args if isinstance(one, ast.Constant)]
        writes = any(isinstance(mode, str) and mode[:1] in {*"wax"} and "b" not in mode for mode in modes)
        short = all(len(mode) <= 2 for mode in modes if isinstance(mode, str))
        reads = method == "read_text" and modes != ["utf-8"]
        if reads or method in {"write_text", "to_csv"} or (method == "open" and writes and short):
            yield node.lineno, method, {keyword.arg for keyword in node.keywords}


@pytest.mark.parametrize("folder", ["altsel", "models"])
def test_files_say_how_they_are_encoded_and_how_lines_end(folder: str) -> None:
    said = {"write_text": {"encoding", "newline"}, "open": {"encoding", "newline"}, "read_text": {"encoding"}}
    for path in sorted((ROOT / folder).rglob("*.py")):
        for line, method, given in opening(ast.parse(path.read_text("utf-8"))):
            missing = said.get(method, {"lineterminator"}) - given
            assert not missing, f"{path.relative_to(ROOT)}:{line}: {method} without {missing}"
