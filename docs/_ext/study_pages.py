"""One page a study: the files of ``benchmarks/results``, as the programs of ``benchmarks`` wrote them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from command_pages import put
from sphinx.application import Sphinx


def write(app: Sphinx) -> None:
    """Copy the results and their pictures, with a heading where a program wrote none."""
    source = Path(app.srcdir).parent / "benchmarks" / "results"
    folder = Path(app.srcdir) / "studies" / "results"
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        heading = "" if text.startswith("# ") else f"# {path.stem.replace('_', ' ').capitalize()}\n\n"
        put(folder / path.name, heading + text)
    for picture in sorted([*source.glob("*.svg"), *source.glob("*.png")]):
        shutil.copy2(picture, folder / picture.name)


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before any is read."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
