"""The example of a package that adds to altsel: installed for real, its names work in a process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import IONOSPHERE, ROOT

EXAMPLE = ROOT / "examples" / "plugin"


@pytest.mark.long
def test_the_example_adds_a_criterion_and_a_measure(tmp_path: Path) -> None:
    source, folder = tmp_path / "source", tmp_path / "installed"
    ignored = shutil.ignore_patterns("build", "*.egg-info", "__pycache__")
    shutil.copytree(EXAMPLE, source, ignore=ignored)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    command += ["--no-build-isolation", "--target", str(folder), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    apart = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}

    def run(*arguments: str) -> str:
        called = [sys.executable, "-m", "altsel", *arguments]
        done = subprocess.run(called, cwd=tmp_path, env=apart, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    mine = ["--objective", "weakest", "--measure", "absolute-kendall"]
    ask = [str(IONOSPHERE), "--target", "target", "-k", "2", "--tau", "1", "--alternatives", "1"]
    found = run("select", *ask, *mine)
    assert found.startswith("smallest relevance")
    assert found.count("optimal") == 2
    assert "ordinal-fit-ebic, weakest." in " ".join(run("select", "--help").replace("│", " ").split())
