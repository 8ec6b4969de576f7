"""What a user installs is complete: the wheel, in a fresh environment, away from the sources."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.conftest import IONOSPHERE, ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("source") / "altsel"
    ignored = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, source, symlinks=True, ignore=ignored)
    command = [sys.executable, "-m", "build", "--outdir", str(source.parent), str(source)]
    subprocess.run(command, check=True, capture_output=True)  # the wheel is built from the source archive
    return next(source.parent.glob("*.whl"))


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {
        "altsel",
        f"altsel-{wheel.name.split('-')[1]}.dist-info",
    }
    for path in ("models/problem.py", "solvers.toml", "py.typed", "stats/dependence/measure.py"):
        assert f"altsel/{path}" in names


def test_the_installed_wheel_does_the_main_job(wheel: Path, tmp_path: Path) -> None:
    folder = tmp_path / "fresh"
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", wheel], check=True, capture_output=True)
    command = [str(folder / "bin" / "altsel"), "select", str(IONOSPHERE), "--target", "target", "-k", "5"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.count("optimal")) == (0, 6), done.stderr
    listed = subprocess.run(
        [folder / "bin" / "altsel", "solvers"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "cp-sat   cp-sat         not installed" in listed.stdout
