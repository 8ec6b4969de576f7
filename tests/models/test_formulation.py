"""The model in hand: what any solver makes of it is what the searches answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest

import altsel
from altsel import ArgumentError, Dependence, Dice, Problem, Univariate, domain
from altsel.models import read_sets
from tests.models.test_objectives import OBJECTIVES
from tests.models.test_own_dissimilarities import MEASURES
from tests.pairs import paired

RNG = np.random.default_rng(7)
NAMES = [f"x{j}" for j in range(8)]
TABLE = RNG.random((8, 8)) / 3
NUMBERS = Dependence(
    pd.Series(RNG.random(8).round(3), NAMES), pd.DataFrame((TABLE + TABLE.T) / 2, NAMES, NAMES)
)
RULES = [domain.at_most(1, ["x0", "x1"]), lambda b: b.x["x2"] * b.x["x3"] <= 0]


@pytest.mark.parametrize(("objective", "measure"), paired([*OBJECTIVES], [*MEASURES], 3))
def test_the_model_of_the_next_set(objective: str, measure: str) -> None:
    problem, diversity = Problem(OBJECTIVES[objective](NUMBERS), 3, RULES), MEASURES[measure][0](0.5)
    known = [["x0", "x2", "x4"]]
    model = altsel.formulate(problem, diversity, known=known)
    assert altsel.solver("highs")(model).value is not None
    found = altsel.sequential(problem, diversity, 1, known=known)
    assert problem.objective.score(problem.mask(read_sets(model)[0])) == pytest.approx(found[0].score)


@pytest.mark.parametrize("total", ["sum", "min"])
@pytest.mark.parametrize("measure", MEASURES)
def test_the_model_of_all_sets(measure: str, total: str) -> None:
    problem, diversity = Problem(altsel.MRMR(NUMBERS), 2, RULES), MEASURES[measure][0](0.5)
    model = altsel.formulate(problem, diversity, alternatives=1, total=total)
    assert altsel.solver("highs")(model).value is not None
    found = altsel.simultaneous(problem, diversity, 1, total)
    add: Any = {"sum": sum, "min": min}[total]
    scores = [problem.objective.score(problem.mask(one)) for one in read_sets(model)]
    assert add(scores) == pytest.approx(add([one.score for one in found]))


def test_rules_across_sets_and_soft_diversities_are_in_it() -> None:
    problem = Problem(Univariate(NUMBERS.relevance), 2, across=[domain.in_at_most(1, ["x0", "x4"])])
    for diversity in (Dice(0.5), altsel.Average(Dice(0.5)), altsel.Penalised(Dice(1.0), 0.3), None):
        model = altsel.formulate(problem, diversity, alternatives=2)
        altsel.solver("highs")(model)
        assert all(sum(f in one for one in read_sets(model)) <= 1 for f in ("x0", "x4"))
        known = [("x0", "x1"), ("x2", "x4")]
        model = altsel.formulate(problem, diversity, known=known)
        altsel.solver("highs")(model)
        assert not {"x0", "x4"} & set(read_sets(model)[0])


def test_a_user_goes_on_with_it_in_pyomo() -> None:
    model = altsel.formulate(Problem(Univariate(NUMBERS.relevance), 3))
    model.mine = pyo.Constraint(expr=model.sets[0].x["x0"] + model.sets[0].x["x5"] <= 0)
    results = pyo.SolverFactory("appsi_highs").solve(model)
    assert results.solver.termination_condition == pyo.TerminationCondition.optimal
    assert not {"x0", "x5"} & set(read_sets(model)[0])


def test_the_call_of_1_0_works_and_warns() -> None:
    problem = Problem(Univariate([3, 2, 1]), k=1)
    with pytest.warns(DeprecationWarning, match="alternatives=sets - 1"):
        assert len(altsel.formulate(problem, 2).sets) == 2  # type: ignore[arg-type]
    with pytest.warns(DeprecationWarning, match="alternatives=sets - 1"):
        assert len(altsel.formulate(problem, sets=3, total="min").sets) == 3


def test_what_no_model_holds_is_refused() -> None:
    quality = Univariate(NUMBERS.relevance)
    vif = domain.predicate(lambda features: True, name="vif")
    with pytest.raises(ArgumentError, match="rule 'vif' is evaluated on sets, and no model holds it"):
        altsel.formulate(Problem(quality, 2, [vif]))
    with pytest.raises(ArgumentError, match="evaluated on sets"):
        altsel.export(Problem(quality, 2, [lambda b: pyo.sqrt(b.size) <= 2]), "model.lp")
    altsel.formulate(Problem(quality, 2, [domain.criterion(altsel.MRMR(NUMBERS), at_least=0)]))
    joint = Problem(quality, 2, across=[domain.in_at_most(1, ["x0"])])
    with pytest.raises(ArgumentError, match="give known sets, or alternatives to be found, not both"):
        altsel.formulate(joint, Dice(0.5), 1, known=[["x0"]])
    with pytest.raises(ArgumentError, match="alternatives=-1"):
        altsel.formulate(Problem(quality, 2), Dice(0.5), -1)
    with pytest.raises(ArgumentError, match="is no dissimilarity"):
        altsel.formulate(Problem(quality, 2), 0.5)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="the variables have no values"):
        read_sets(altsel.formulate(Problem(quality, 2)))


def test_the_next_set_goes_to_a_file(tmp_path: Path) -> None:
    problem = Problem(Univariate(NUMBERS.relevance), k=2)
    path = altsel.export(problem, tmp_path / "next.lp", Dice(0.5), known=[["x0", "x1"], ["x2", "x3"]])
    text = path.read_text()
    assert text.count("differs_from") >= 2
    with pytest.raises(ArgumentError, match="known: there is no feature 'y'"):
        altsel.export(problem, tmp_path / "next.lp", known=[["y"]])
