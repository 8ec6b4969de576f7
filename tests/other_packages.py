"""Packages that add entries to altsel, as they lie in a folder once installed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from altsel.runtime.entries import entry_points

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a package: its name, its entry points by group and name, and the text of its module."""
    folder = tmp_path / "installed"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr("altsel.runtime.entries.entry_points", entry_points.__wrapped__)  # not remembered

    def put(package: str, points: Mapping[str, Mapping[str, str]], text: str = "") -> None:
        module = package.replace("-", "_")
        (folder / f"{module}.py").write_text(text, encoding="utf-8")
        monkeypatch.delitem(sys.modules, module, raising=False)
        about = folder / f"{module}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [
            f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in names.items())
            for group, names in points.items()
        ]
        (about / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")

    return put
