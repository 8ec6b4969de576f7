"""Cells of commands as a shell takes them: ``$ altsel …`` for IPython's ``!altsel …``."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


def as_in_a_shell(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Write a prompt before each line of the cells that hold commands only."""
    del app, page
    for block in doctree.findall(nodes.literal_block):
        lines = block.rawsource.splitlines() or block.astext().splitlines()
        if "cell_input" in block.parent.get("classes", ()) and all(line.startswith("!") for line in lines):
            shown = "\n".join(f"$ {line[1:]}" for line in lines)
            block.rawsource, block["language"] = shown, "console"
            block.children = [nodes.Text(shown)]


def setup(app: Sphinx) -> dict[str, Any]:
    """Change pages when they are written."""
    app.connect("doctree-resolved", as_in_a_shell)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
