from __future__ import annotations

from typing import Any

import numpy as np
import pyomo.environ as pyo
import pytest

from altsel import Proof, SolverError, Stop
from altsel.solvers.cpsat import _whole
from altsel.solvers.outcome import conclude
from altsel.solvers.rows import Rows
from altsel.solvers.standard_form import InfeasibleRowError, to_rows


def small() -> pyo.ConcreteModel:
    m = pyo.ConcreteModel()
    m.x = pyo.Var(["a b", "c\nd"], domain=pyo.Binary)
    m.t = pyo.Var(bounds=(0, 2.5))
    m.implied = pyo.Suffix()
    m.implied[m.t] = 1
    m.range = pyo.Constraint(expr=pyo.inequality(1, m.x["a b"] + 2 * m.x["c\nd"], 3))
    m.equal = pyo.Constraint(expr=m.t == m.x["a b"] + 1)
    m.value = pyo.Objective(expr=0.25 * m.x["a b"] + 0.125 * m.t + 7, sense=pyo.maximize)
    return m


def test_rows_say_what_the_model_says() -> None:
    model = small()
    rows = to_rows(model)
    source = {id(v): j for j, v in enumerate(rows.variables)}
    a, c, t = (source[id(v)] for v in (model.x["a b"], model.x["c\nd"], model.t))
    assert rows.maximise
    assert rows.offset == 7
    assert -rows.cost[[a, t]] / rows.scale == pytest.approx([0.25, 0.125])
    assert rows.integer[[a, c, t]].tolist() == [True, True, False]
    assert rows.implied[[a, c, t]].tolist() == [False, False, True]
    assert (rows.lower[t], rows.upper[t]) == (0, 2.5)
    point = np.zeros(3)
    point[[a, c, t]] = 1, 1, 2
    assert rows.rounded_and_checked(point).tolist() == point.tolist()
    assert rows.unscaled(float(rows.cost @ point)) == pytest.approx(7.5)
    rows.load(point)
    assert pyo.value(model.value) == pytest.approx(7.5)


def test_a_rounded_point_that_breaks_a_row_is_noticed() -> None:
    rows = to_rows(small())
    with pytest.raises(SolverError, match="violates"):
        rows.rounded_and_checked(np.zeros(3))


def test_scaling_is_by_powers_of_two() -> None:
    rows = to_rows(small())
    assert np.log2(rows.scale) == int(np.log2(rows.scale))
    assert 512 <= np.abs(rows.cost).max() < 1024


def test_a_start_is_what_the_variables_hold() -> None:
    model = small()
    assert not to_rows(model).complete_start
    model.x["a b"].set_value(1)
    assert not to_rows(model).complete_start
    model.x["c\nd"].set_value(0)
    assert to_rows(model).complete_start


def test_a_model_needs_one_objective() -> None:
    model = small()
    model.second = pyo.Objective(expr=model.t)
    with pytest.raises(SolverError, match="2 objectives"):
        to_rows(model)


def test_decimal_coefficients_become_whole_exactly() -> None:
    integer, factor, error = _whole(np.array([12.35, 0.5]), np.array([1.0, 1.0]), [100.0])
    assert (integer, factor, error) == ([247, 10], 20.0, 0.0)


def test_other_coefficients_are_rounded_with_a_known_error() -> None:
    terms = np.array([np.pi, np.e])
    integer, factor, error = _whole(terms, np.array([1.0, 1.0]), [])
    assert np.abs(np.array(integer) - terms * factor).sum() <= error + 1e-3
    assert error / factor < 1e-12


def test_bounds_of_minimisations_lie_below() -> None:
    model = small()
    model.value.sense = pyo.minimize
    rows = to_rows(model)
    assert not rows.maximise
    found = conclude(Stop.TIME, 7.5, 7.25, rows, 0.5)
    assert (found.proof, found.value, found.stop) == (Proof.FEASIBLE, 7.5, Stop.TIME)
    assert found.bound == pytest.approx(7.25, abs=1e-3)
    assert conclude(Stop.TIME, 7.5, 7.5, rows, 0.5).proof is Proof.OPTIMAL
    assert conclude(Stop.TIME, None, 7.25, rows, 0.5).bound == pytest.approx(7.25, abs=1e-3)
    with pytest.raises(SolverError, match="contradicts"):
        conclude(Stop.TIME, 7.25, 7.5, rows, 0.5)


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("hidden", [True, False])
def test_infeasible_is_not_believed_of_wide_or_of_hidden_numbers(wide: bool, hidden: bool) -> None:
    class Told(Rows):
        def too_wide(self, *_: Any) -> bool:
            return wide

        def hides(self, _: float) -> bool:
            return hidden

    assert object.__new__(Told).unbelievable is (wide or hidden)


def test_a_name_that_is_missing_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from pyomo.repn.plugins.standard_form import LinearStandardFormCompiler  # noqa: PLC0415

    model = pyo.ConcreteModel()
    model.x = pyo.Var(bounds=(0, 1))
    model.best = pyo.Objective(expr=model.x)
    for name, error in (("nobody", SolverError), ("InfeasibleError", InfeasibleRowError)):

        def write(*_: object, missing: str = name, **__: object) -> None:
            raise NameError(f"name {missing!r} is not defined", name=missing)

        monkeypatch.setattr(LinearStandardFormCompiler, "write", write)
        with pytest.raises(error, match="is not defined"):
            to_rows(model)
