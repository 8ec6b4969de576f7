"""Predictions of the seconds of engines: what they are made of, and that they never fail."""

from __future__ import annotations

import csv
from math import log

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest

import altsel
from altsel import CFS, FCBF, MRMR, Average, Dependence, Dice, Problem, Univariate, domain
from altsel.exact.predicted_seconds import LEARNT, QUANTITIES, UNKNOWN, family, predicted, quantities
from altsel.exact.question import Question
from altsel.exact.run import Run


def given(n: int) -> Dependence:
    rng = np.random.default_rng(n)
    half = np.triu(rng.random((n, n)), 1)
    names = [f"x{j}" for j in range(n)]
    return Dependence(pd.Series(rng.random(n), names), pd.DataFrame(half + half.T + np.eye(n), names, names))


def asked(problem: Problem, total: str = "sum", sets: int = 3, diversity: object = Dice(0.5)) -> Question:
    return Run(problem, None, "test").question(diversity, sets, total)  # type: ignore[arg-type]


BUDGET = domain.budget({f"x{j}": 1 + j % 3 for j in range(12)}, 6)
FAMILIES = {
    "free sum": asked(Problem(Univariate(given(12)), 4)),
    "ruled sum": asked(Problem(Univariate(given(12)), 4, [BUDGET])),
    "free poorest": asked(Problem(Univariate(given(12)), 4, [BUDGET]), "min"),
    "conditional sum": asked(Problem(FCBF(given(12)), 4)),
    "conditional poorest": asked(Problem(FCBF(given(12)), 4), "min"),
    "pairs sum": asked(Problem(MRMR(given(12)), 4)),
    "pairs poorest": asked(Problem(CFS(given(12)), 4), "min"),
    "similar sets at a price": asked(Problem(MRMR(given(12)), 4), diversity=Average(Dice(0.5))),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_has_constants_for_lists_and_models(name: str) -> None:
    question = FAMILIES[name]
    assert family(question) == name
    seconds = {predicted(engine, question) for engine in ("model", "list of all sets", "lists above a floor")}
    assert len(seconds) >= 2
    assert all(0 < one <= 1000 for one in seconds)
    assert predicted("an engine of one's own", question) == UNKNOWN


def test_the_file_has_the_quantities_in_their_order() -> None:
    with LEARNT.open(encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file)
    assert tuple(head[2:]) == QUANTITIES
    assert {line[0] for line in lines} <= {*FAMILIES}
    assert all(
        len(line) == len(head) and np.isfinite([float(one) for one in line[2:]]).all() for line in lines
    )


def test_quantities_by_hand() -> None:
    """Five features, two of three, two sets that share one: three of them matter, as do all."""
    problem = Problem(Univariate([5.0, 4.0, 3.0, 3.0, 1.0]), 2, [domain.at_most(1, ["x0", "x1"])])
    found = dict(zip(QUANTITIES, quantities(asked(problem, sets=2)), strict=True))
    assert found["log of the features that can matter"] == pytest.approx(log(4))
    assert found["log of the share of features that sets as different as wanted have"] == (
        pytest.approx(log(3 / 5))
    )
    assert found["largest overlap as a share of k"] == 0.5
    assert found["log of the number of candidate sets"] == pytest.approx(log(10))
    assert found["log of the sets that overlap by the largest overlap"] == pytest.approx(log(2 * 3))
    assert found["loss from the best set to features that are met together"] == pytest.approx((4.5 - 4) / 4.5)
    assert found["range of their values"] == pytest.approx(2 / 5)
    assert found["share of ties"] == pytest.approx(1 / 4)
    assert (found["sizes are free"], found["rules"], found["a rule of numbers of features alone"]) == (
        0,
        1,
        1,
    )


@pytest.mark.parametrize("weights", [[0.0] * 6, [1e90, 1e90, 1, 0, 0, 0], [-1.0] * 6])
@pytest.mark.parametrize("sets", [2, 40])
def test_odd_numbers_are_predicted_too(weights: list[float], sets: int) -> None:
    question = asked(Problem(Univariate(weights), (1, 6)), sets=sets, diversity=Dice(0.0))
    assert np.isfinite(quantities(question)).all()
    assert 0 <= predicted("model", question) <= 1000


def test_conditions_of_a_criterion_without_relevances_are_counted() -> None:
    """Of a criterion of the user's own that declares pairs only, which the prediction failed on."""

    class Apart(altsel.models.Objective):
        name, features = "apart", tuple("abcd")
        conflict = np.array([[False, True], [True, False]]).repeat(2, axis=0).repeat(2, axis=1)

        def score(self, members: np.ndarray) -> float:
            return float(members[0])

        def express(self, block: pyo.Block, sizes: tuple[int, int]) -> None:
            block.quality = pyo.Expression(expr=block.x["a"])

    assert (
        quantities(asked(Problem(Apart(), 2), sets=2))[
            QUANTITIES.index("share of the pairs that exclude each other")
        ]
        == 2 / 3
    )


def test_a_black_box_and_linear_fits_have_quantities() -> None:
    rng = np.random.default_rng(1)
    rows = altsel.Dataset(rng.normal(size=(30, 5)), rng.normal(size=30))
    for objective in (altsel.LinearFit(rows), altsel.BlackBox(len, rows.features)):
        assert np.isfinite(quantities(asked(Problem(objective, 2)))).all()
