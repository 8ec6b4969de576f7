"""Best known values of the library of questions only improve."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from altsel.bench.grid import BenchSearch, Grid
from altsel.bench.question import problem_of
from altsel.errors import ArgumentError
from benchmarks.library.models import best_known, improved, solu
from benchmarks.library.questions import name_of
from benchmarks.library.sets import better, checked, with_sets


def test_a_poorer_run_takes_nothing_back(tmp_path: Path) -> None:
    path = tmp_path / "library.solu"
    path.write_text("=opt= a 2\n=best= b 3.5\n=best= c 1\n=inf= d\n=best= gone 1\n", "utf-8")
    runs = pd.DataFrame(
        {
            "name": ["a", "b", "c", "d"],
            "solver": "auto",
            "status": ["feasible", "feasible", "feasible", "time"],
            "objective_value": [1.5, 3.0, 1.25, float("nan")],
        }
    )
    lines = list(solu(improved(best_known(runs), path)))
    assert lines == ["=opt= a 2", "=best= b 3.5", "=best= c 1.25", "=inf= d"]
    proved = runs.assign(status="proved", objective_value=[2.0, 3.6, 1.25, 1.0])
    assert list(solu(improved(best_known(proved), path)))[1] == "=opt= b 3.6"


def drawn(folder: Path) -> Path:
    """Write a table of six features and a target."""
    rng = np.random.default_rng(0)
    path = folder / "drawn.csv"
    table = pd.DataFrame(rng.normal(size=(60, 6))).add_prefix("x").assign(target=rng.normal(size=60))
    table.to_csv(path, index=False)
    return path


def test_sets_are_worth_what_the_formulas_say(tmp_path: Path) -> None:
    """The better ones of a question are kept, and its value with them, unless another is proved."""
    path = drawn(tmp_path)
    grid = Grid([path], "target", ["absolute-pearson"], k=["2"], alternatives=[1], searches=[BenchSearch.SUM])
    (case,) = grid.cases()
    name, problem = name_of(case), problem_of(case)
    given = pd.DataFrame({"name": [name] * 2, "sets": ["x0 x1 | x2 x3", "x0 x1 | x4 x5"]})
    found = checked(given, [case])
    for one, pairs in zip(found["value"], ("0123", "0145"), strict=True):
        parts = [f"x{i}" for i in pairs]
        scores = [problem.objective.score(problem.mask(half)) for half in (parts[:2], parts[2:])]
        assert one == pytest.approx(sum(scores))
    best = better(found.iloc[:1], found.iloc[1:])
    assert best["value"].tolist() == [found["value"].max()]
    known = pd.DataFrame({"name": [name, "other"], "known": ["best", "opt"], "value": [-1.0, 2.0]})
    assert with_sets(known, best)["value"].tolist() == [found["value"].max(), 2.0]


def test_sets_exactly_as_different_as_asked_are_an_answer(tmp_path: Path) -> None:
    """As a floating-point number 1 - 2 * 4 / 10 is below .2."""
    path = drawn(tmp_path)
    (case,) = Grid([path], "target", k=["5"], tau=[0.2], alternatives=[1], searches=[BenchSearch.SUM]).cases()
    sets = "x0 x1 x2 x3 x4 | x0 x1 x2 x3 x5"
    found = checked(pd.DataFrame({"name": [name_of(case)], "sets": [sets]}), [case])
    assert np.isfinite(found["value"]).all()


@pytest.mark.parametrize(
    ("sets", "says"),
    [
        ("x0 x1", "1 sets instead of 2"),
        ("x0 x1 | x0 x9", "no such features: x9"),
        ("x0 x1 | x2 x2", "a set of 1 features"),
        ("x0 x1 | x1 x0", "a dissimilarity below 0.5"),
    ],
)
def test_sets_that_are_no_answer_are_refused(sets: str, says: str, tmp_path: Path) -> None:
    path = drawn(tmp_path)
    (case,) = Grid([path], "target", k=["2"], alternatives=[1], searches=[BenchSearch.SUM]).cases()
    with pytest.raises(ArgumentError, match=says):
        checked(pd.DataFrame({"name": [name_of(case)], "sets": [sets]}), [case])
    with pytest.raises(ArgumentError, match="no such questions: other"):
        checked(pd.DataFrame({"name": ["other"], "sets": [sets]}), [case])
