"""Exported models: another program reads them, finds the same optimum, and the names tell what they are."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import highspy
import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import CFS, FCBF, MRMR, Dependence, Dice, Problem, Univariate

NAMES = ["mean radius", "mean-radius", "größe", "e1", "2nd", "x" * 300]


@pytest.fixture
def dependence() -> Dependence:
    rng = np.random.default_rng(3)
    r = rng.random((6, 6)) / 3
    return Dependence(
        pd.Series(rng.random(6) + 0.3, index=NAMES), pd.DataFrame((r + r.T) / 2, index=NAMES, columns=NAMES)
    )


@pytest.mark.parametrize("ending", [".lp", ".MPS"])
@pytest.mark.parametrize("make", [Univariate, FCBF, MRMR, CFS])
@pytest.mark.parametrize("k", [2, (2, 3)])
def test_another_program_finds_the_same(
    make: type, ending: str, k: Any, dependence: Dependence, tmp_path: Path
) -> None:
    problem = Problem(make(dependence), k)
    file = altsel.export(problem, tmp_path / f"model{ending}", Dice(0.5), alternatives=1, total="min")
    engine = highspy.Highs()
    engine.setOptionValue("output_flag", False)
    assert engine.readModel(str(file)) == highspy.HighsStatus.kOk
    engine.setOptionValue("mip_rel_gap", 0.0)
    engine.run()
    names = [engine.getColName(j)[1] for j in range(engine.getNumCol())]
    chosen = {
        name
        for name, x in zip(names, engine.getSolution().col_value, strict=True)
        if "_x_" in name and x > 0.5
    }
    wanted = min(subset.score for subset in altsel.simultaneous(problem, Dice(0.5), 1, "min"))
    sets = [[f for f in NAMES if labels(NAMES)[f, i] in chosen] for i in (1, 2)]
    assert min(problem.objective.score(problem.mask(subset)) for subset in sets) == pytest.approx(wanted)
    assert list(tmp_path.iterdir()) == [file]


def labels(names: list[str]) -> dict[tuple[str, int], str]:
    plain = ["mean_radius", "mean_radius_2", "gr_e", "e1", "2nd", "x" * 300]
    return {(f, i): f"set{i}_x_{text}"[:200] for f, text in zip(names, plain, strict=True) for i in (1, 2)}


def test_what_cannot_be_written_is_refused(dependence: Dependence, tmp_path: Path) -> None:
    problem = Problem(Univariate(dependence), 2)
    with pytest.raises(altsel.ArgumentError, match="no form of a question; use one of 'lp'"):
        altsel.export(problem, tmp_path / "model.txt")
    with pytest.raises(altsel.ArgumentError, match="cannot be written"):
        altsel.export(problem, tmp_path / "nowhere" / "model.lp")
    with pytest.raises(altsel.ArgumentError, match="alternatives"):
        altsel.export(problem, tmp_path / "model.lp", alternatives=-1)
    assert not list(tmp_path.iterdir())


def test_the_model_is_named_as_the_file(dependence: Dependence, tmp_path: Path) -> None:
    for name, line in (("ask.mps", "NAME ask\n"), ("my ask.mps", "NAME my_ask\n"), ("ask.lp", "name=ask *")):
        file = altsel.export(Problem(MRMR(dependence), 2), tmp_path / name)
        assert line in file.read_text("utf-8")


def test_names_have_at_most_200_characters(tmp_path: Path) -> None:
    names = ["x" * 300, "x" * 299 + "y"]  # alike up to there
    file = altsel.export(Problem(Univariate(pd.Series([0.2, 0.1], index=names)), 1), tmp_path / "model.lp")
    written = {word for word in file.read_text().split() if "_x_" in word}
    assert len({word for word in written if "xxx" in word}) >= 2
    assert max(map(len, written)) <= 200


@pytest.mark.slow
def test_glpk_reads_what_is_written(tmp_path: Path) -> None:
    """MPS with a section for the sense is no MPS to GLPK: the negative is minimised."""
    program = shutil.which("glpsol", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if program is None:
        pytest.skip("GLPK is not installed")
    problem = Problem(Univariate([5, 4, 2, 1]), 2)
    for form, ending, sign in (("--freemps", "mps", -1), ("--lp", "lp", 1)):
        file = altsel.export(problem, tmp_path / f"model.{ending}", Dice(0.5), 1, "sum")
        message = tmp_path / "message"
        subprocess.run([program, form, str(file), "-o", str(message)], check=True, capture_output=True)
        [line] = [one for one in message.read_text().splitlines() if one.startswith("Objective:")]
        assert f"= {sign * 16} " in line
