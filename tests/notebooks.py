"""Notebooks run without Jupyter; ``python -m tests.notebooks`` stores what those in examples/ print."""

from __future__ import annotations

import ast
import json
import sys
from base64 import b64encode
from contextlib import chdir, redirect_stdout
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def read(path: Path) -> dict[str, Any]:
    """Return the notebook as its JSON says it."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def stored(cell: dict[str, Any]) -> str:
    """Return the text that is stored with a cell: what it printed, then the value of its last line."""
    texts = [part["text"] if "text" in part else part["data"]["text/plain"] for part in cell["outputs"]]
    return "\n".join("".join(text).rstrip("\n") for text in texts)


def shown(cell: dict[str, Any]) -> list[str]:
    """Return the HTML that is stored with a cell."""
    return ["".join(part.get("data", {}).get("text/html", "")) for part in cell["outputs"]]


def run(path: Path) -> list[list[dict[str, Any]]]:
    """Run the code cells one after another, as Jupyter does, and return the outputs of each."""
    shared: dict[str, Any] = {"__name__": "__main__"}
    with chdir(path.parent):
        return [
            _outputs("".join(cell["source"]), f"{path.name}, cell {number}", number, shared)
            for number, cell in enumerate(code_cells(read(path)), start=1)
        ]


def _outputs(source: str, name: str, number: int, shared: dict[str, Any]) -> list[dict[str, Any]]:
    tree, printed, value = ast.parse(source), StringIO(), None
    shows = isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";")
    last = tree.body.pop() if shows else None
    with redirect_stdout(printed):
        exec(compile(tree, name, "exec"), shared)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), shared)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        if type(value).__module__.startswith("altsel"):
            data |= {"text/html": _lines(value._repr_html_())} if hasattr(value, "_repr_html_") else {}
        result = {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}
        outputs.append(result)
    return [*outputs, *_figures()]


def _figures() -> list[dict[str, Any]]:
    """Return the figures that a cell has drawn, as Jupyter shows them at its end."""
    if "matplotlib.pyplot" not in sys.modules:
        return []
    from matplotlib import pyplot as plt  # noqa: PLC0415

    outputs = []
    for number in plt.get_fignums():
        figure, picture = plt.figure(number), BytesIO()
        figure.savefig(picture, format="png", dpi=80)
        words = f"<Figure with {len(figure.axes)} Axes>"
        data = {"image/png": b64encode(picture.getvalue()).decode(), "text/plain": [words]}
        outputs.append({"data": data, "metadata": {}, "output_type": "display_data"})
        plt.close(figure)
    return outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def store(path: Path) -> None:
    """Run the notebook, and store what each cell printed."""
    notebook, found = read(path), run(path)
    for number, (cell, outputs) in enumerate(zip(code_cells(notebook), found, strict=True), start=1):
        cell |= {"execution_count": number, "outputs": outputs}
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for each in NOTEBOOKS:
        store(each)
