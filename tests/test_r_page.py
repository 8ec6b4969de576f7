"""The page for users of R: its code runs, and prints what the page shows, where R and reticulate are."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

PAGE = ROOT / "docs" / "guide" / "from_r.md"
BLOCK = re.compile(r"```r\n(.*?)```\n+```text\n(.*?)```", re.DOTALL)
MARK = "=== end of a block"
SECONDS = re.compile(r"\d+\.\d+ s$", re.MULTILINE)


def blocks() -> list[tuple[str, str]]:
    """Return code and output of the page, in order."""
    return BLOCK.findall(PAGE.read_text("utf-8"))


def plain(output: str) -> str:
    """Leave out what differs from run to run: times, and spaces at the ends of lines."""
    lines = (line.rstrip() for line in SECONDS.sub("… s", output).splitlines())
    return "\n".join(line for line in lines if line)


def printed(codes: list[str], folder: Path) -> list[str]:
    """Return what R prints for each part of a script."""
    for number, code in enumerate(codes):
        (folder / f"{number}.R").write_text(code, encoding="utf-8")
    calls = [
        f'source("{folder / str(number)}.R", echo = FALSE, print.eval = TRUE); cat("\\n{MARK}\\n")'
        for number in range(len(codes))
    ]
    script = folder / "all.R"
    script.write_text("\n".join(["options(width = 80)", *calls]), encoding="utf-8")
    # one thread: R's own BLAS and numpy's are then the same in all runs
    env = {**os.environ, "RETICULATE_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["Rscript", str(script)], env=env, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split(f"\n{MARK}\n")[:-1]


def test_each_code_of_the_page_has_its_output() -> None:
    text = PAGE.read_text("utf-8")
    assert len(blocks()) == text.count("```r\n") == text.count("```text\n")
    assert all(output.strip() for _, output in blocks())


@pytest.mark.long
@pytest.mark.skipif(shutil.which("Rscript") is None, reason="needs R")
def test_the_page_shows_what_r_prints(tmp_path: Path) -> None:
    has = ["Rscript", "-e", 'stopifnot(requireNamespace("reticulate"), requireNamespace("jsonlite"))']
    if subprocess.run(has, capture_output=True, check=False).returncode:
        pytest.skip("needs reticulate and jsonlite")
    codes, outputs = zip(*blocks(), strict=True)
    assert [*map(plain, printed([*codes], tmp_path))] == [*map(plain, outputs)]
