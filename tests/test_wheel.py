"""What a user installs is complete: the wheel, installed away from the sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.conftest import IONOSPHERE, ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("source") / "altsel"
    ignored = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, source, symlinks=True, ignore=ignored)
    command = [sys.executable, "-m", "build", "--outdir", str(source.parent), str(source)]
    subprocess.run(command, check=True, capture_output=True)  # the wheel is built from the source archive
    return next(source.parent.glob("*.whl"))


def test_every_package_is_listed() -> None:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    folders = {path.parent.relative_to(ROOT) for path in (ROOT / "altsel").rglob("__init__.py")}
    for link in ("models", "tools"):  # rglob does not follow them
        linked = (path.parent.relative_to(ROOT) for path in (ROOT / link).rglob("__init__.py"))
        folders |= {Path("altsel", folder) for folder in linked}
    assert {".".join(folder.parts) for folder in folders} == set(table["tool"]["setuptools"]["packages"])


@pytest.mark.long
def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {
        "altsel",
        f"altsel-{wheel.name.split('-')[1]}.dist-info",
    }
    paths: tuple[str, ...] = ("models/problem.py", "solvers.toml", "py.typed", "stats/dependence/measure.py")
    paths += ("tools/check_certificate.py", "tools/check_certificate.js", "example_data/README.md")
    paths += ("example_data/heart.csv.gz", "example_data/ionosphere.csv.gz")
    for path in (
        *paths,
        "report/report.css",
        "report/script/start.js",
        "display/script/elements.js",
        "exploring/script/server.js",
    ):
        assert f"altsel/{path}" in names


@pytest.mark.long
def test_the_installed_wheel_does_the_main_job(wheel: Path, tmp_path: Path) -> None:
    folder = tmp_path / "installed"
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        str(folder),
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    apart = {**os.environ, "PYTHONPATH": str(folder)}  # found before the sources
    where = [
        sys.executable,
        "-c",
        "import altsel, altsel.models; print(altsel.__file__, altsel.models.__file__)",
    ]
    found = subprocess.run(where, cwd=tmp_path, env=apart, capture_output=True, text=True, check=True)
    assert found.stdout.count(str(folder)) == 2
    example = [sys.executable, "-m", "altsel", "example"]
    shown = subprocess.run(example, cwd=tmp_path, env=apart, capture_output=True, text=True, check=True)
    table = shown.stdout.strip()
    assert table.startswith(str(folder))
    assert Path(table).read_bytes() == IONOSPHERE.read_bytes()
    command = [sys.executable, "-m", "altsel", "select", table, "--target", "target", "-k", "5"]
    done = subprocess.run(command, cwd=tmp_path, env=apart, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.count("optimal")) == (0, 1), done.stderr
