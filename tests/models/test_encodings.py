"""Encodings of mRMR, FCBF and CFS, row by row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest

from altsel import CFS, FCBF, MRMR, Dependence, Problem, formulate
from altsel.models.problem import holds, start_from, with_cuts

Q = pd.Series({"a": 0.6, "b": 0.5, "c": 0.4})
R = pd.DataFrame([[1, 0.5, 0.1], [0.5, 1, -0.2], [0.1, -0.2, 1]], index=Q.index, columns=Q.index)


def rows(component: Any) -> list[str]:
    return [str(row.expr).replace("sets[0].", "") for row in component.values()]


def test_products_for_a_fixed_size() -> None:
    model = formulate(Problem(MRMR(Dependence(Q, R), "k(k-1)"), 2))
    block = model.sets[0]
    assert rows(block.product) == [
        "x[a] + x[b] - 1  <=  t[0,1]",
        "x[a] + x[c] - 1  <=  t[0,2]",
        "x[b] + x[c] - 1  <=  t[1,2]",
    ]
    assert rows(block.rlt) == [
        "t[0,1] + t[0,2]  ==  x[a]",
        "t[0,1] + t[1,2]  ==  x[b]",
        "t[0,2] + t[1,2]  ==  x[c]",
    ]
    assert all(t in model.implied for t in block.t.values())


def test_products_for_a_free_size() -> None:
    model = formulate(Problem(MRMR(Dependence(Q, R)), (1, 3)))
    block = model.sets[0]
    upper = [row for row in rows(block.product) if row.startswith("t")]
    assert upper == ["t[1,2]  <=  x[b]", "t[1,2]  <=  x[c]"]  # the pair of negative redundancy
    assert rows(block.rlt) == [
        "t[0,1] + t[0,2]  <=  2*x[a]",
        "t[0,1] + t[1,2]  <=  2*x[b]",
        "t[0,2] + t[1,2]  <=  2*x[c]",
    ]


def test_conflicts_of_fcbf_are_cliques() -> None:
    table = pd.DataFrame(np.full((3, 3), 0.45), index=Q.index, columns=Q.index)
    model = formulate(Problem(FCBF(Dependence(Q, table)), (1, 2)))
    assert rows(model.sets[0].predominance) == ["x[a] + x[c]  <=  1", "x[b] + x[c]  <=  1"]
    none = formulate(Problem(FCBF(Dependence(Q, table)), 3))
    assert all(x.fixed for x in none.sets[0].x.values())  # no three of them go together


@pytest.mark.parametrize("make", [MRMR, lambda d: MRMR(d, "k(k-1)"), CFS, lambda d: CFS(d, "linearised")])
@pytest.mark.parametrize("k", [1, 2, (1, 3)])
def test_a_filled_in_set_satisfies_every_row_and_has_its_quality(make: Any, k: Any) -> None:
    objective = make(Dependence(Q, R.abs()))
    problem = Problem(objective, k)
    model = formulate(problem)
    block = model.sets[0]
    names = ["a", "c"][: problem.sizes[1]]
    start_from(problem, block, names)
    assert pyo.value(block.quality) == pytest.approx(objective.score(problem.mask(names)))
    assert holds(block)


def test_a_quality_above_the_formula_is_corrected_once() -> None:
    problem = Problem(CFS(Dependence(Q, R.abs())), 2)
    model = formulate(problem)
    block = model.sets[0]
    start_from(problem, block, ["a", "c"])
    right = block.ratio.value
    assert with_cuts(problem, model) is None
    block.ratio.set_value(right * 1.01)
    assert with_cuts(problem, model) == pytest.approx(right * block.most)
    block.ratio.set_value(right * 1.01)
    assert not holds(block)  # the new row cuts it off
    assert with_cuts(problem, model) is None  # and what a solver leaves then is its tolerance
