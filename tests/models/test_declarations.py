"""What a criterion of the user's own declares: refused at the door where it cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyomo.environ as pyo
import pytest

import altsel
from altsel import AltselError, ArgumentError, DataError, Dice, Problem
from altsel.models import Objective, check_objective
from altsel.models.objective import Kind

NAMES = tuple("abcdef")
WEIGHTS = np.array([6.0, 5, 4, 3, 2, 1])
NO_PAIRS = np.zeros((6, 6))


def criterion(**declared: Any) -> Objective:
    """Make a sum of weights that declares something besides, wrongly or rightly."""

    class Sum(Objective):
        name, features = "total", NAMES

        def score(self, mask: Any) -> float:
            return float(WEIGHTS[mask].sum())

        def express(self, block: Any, sizes: Any) -> None:
            weights = dict(zip(NAMES, WEIGHTS.tolist(), strict=True))
            block.quality = pyo.Expression(expr=sum(weights[f] * x for f, x in block.x.items()))

    for name, value in declared.items():
        setattr(Sum, name, value)
    return Sum()


def with_entry(array: Any, place: Any, value: float) -> Any:
    changed = np.array(array, dtype=float)
    changed[place] = value
    return changed


def weighted(weights: Any) -> Objective:
    return criterion(kind=Kind.SUM, weights=weights)


def quadratic(linear: Any, pairs: Any) -> Objective:
    return criterion(kind=Kind.QUADRATIC, quadratic=lambda self, k: (linear, pairs))


def ratio(form: Any, bound: float = 21.0) -> Objective:
    return criterion(
        kind=Kind.RATIO,
        parametric=lambda self, level: form,
        bound_from_excess=lambda self, level, excess, sizes: bound,
    )


NUMBERS: dict[str, tuple[Objective, type[AltselError], str]] = {
    "weight missing": (weighted(with_entry(WEIGHTS, 5, np.nan)), DataError, "total: weights .* for 'f'"),
    "weight infinite": (weighted(with_entry(WEIGHTS, 0, np.inf)), DataError, "total: weights .* for 'a'"),
    "few weights": (weighted(WEIGHTS[:3]), ArgumentError, r"total: weights has shape \(3,\)"),
    "more weights": (weighted(np.ones(7)), ArgumentError, r"total: weights has shape \(7,\)"),
    "weights in a list": (weighted(WEIGHTS.tolist()), ArgumentError, "weights is a list; give a numpy array"),
    "weights of texts": (weighted(np.array(list("654321"))), ArgumentError, "weights is a ndarray of <U1"),
    "weights that fail": (
        weighted(property(lambda self: 1 / 0)),
        ArgumentError,
        "total: weights fails: ZeroDivisionError",
    ),
    "few relevances": (criterion(relevance=np.ones(2)), ArgumentError, r"relevance has shape \(2,\)"),
    "relevance missing": (
        criterion(relevance=with_entry(WEIGHTS, 1, np.nan)),
        DataError,
        "total: relevance .* for 'b'",
    ),
    "conflict": (criterion(conflict=np.ones((5, 5), bool)), ArgumentError, r"conflict has shape \(5, 5\)"),
    "conflict in numbers": (criterion(conflict=NO_PAIRS), ArgumentError, "conflict is a ndarray of float64"),
    "rows": (criterion(rows=[(np.ones(5), 0.0, 1.0)]), ArgumentError, r"rows\[0\] has shape \(5,\)"),
    "rows of pairs": (criterion(rows=[(np.ones(6), 1.0)]), ArgumentError, r"rows\[0\] is .*triples"),
    "limit missing": (
        criterion(rows=[(np.ones(6), 0.0, np.nan)]),
        DataError,
        r"rows\[0\] has a limit nan; give numbers",
    ),
    "most": (criterion(most=np.nan), DataError, "total: most is nan"),
    "features twice": (criterion(features=("a", "a", "b", "c")), ArgumentError, "features names 'a' twice"),
    "features drawn": (
        criterion(features=iter(NAMES)),
        ArgumentError,
        "total: features is a .*; give a tuple",
    ),
    "features a text": (criterion(features="abcdef"), ArgumentError, "total: features is 'abcdef'; give"),
    "kind": (criterion(kind="sum"), ArgumentError, "kind is 'sum'; give an altsel.models.Kind: SUM"),
}
FORMS: dict[str, tuple[Objective, type[AltselError], str]] = {
    "linear missing": (
        quadratic(with_entry(WEIGHTS, 2, np.nan), NO_PAIRS),
        DataError,
        r"total: quadratic\(3\).* for 'c'",
    ),
    "few linear": (quadratic(WEIGHTS[:2], NO_PAIRS), ArgumentError, r"quadratic\(3\).* has shape \(2,\)"),
    "pair missing": (
        quadratic(WEIGHTS, with_entry(NO_PAIRS, (1, 2), np.nan)),
        DataError,
        r"quadratic\(3\) gives nan for 'b' and 'c'; give a finite number",
    ),
    "pair that attracts without end": (
        quadratic(WEIGHTS, with_entry(NO_PAIRS, (0, 1), -np.inf)),
        DataError,
        r"quadratic\(3\) gives -inf for 'a' and 'b'",
    ),
    "few pairs": (quadratic(WEIGHTS, NO_PAIRS[:2]), ArgumentError, r"table of pairs, has shape \(2, 6\)"),
    "half of the pairs": (
        quadratic(WEIGHTS, with_entry(NO_PAIRS, (0, 1), 1.0)),
        ArgumentError,
        r"quadratic\(3\) gives a table of pairs that is not symmetric",
    ),
    "one array": (
        criterion(kind=Kind.QUADRATIC, quadratic=lambda self, k: WEIGHTS),
        ArgumentError,
        r"quadratic\(3\) gives a ndarray; return two arrays",
    ),
    "a form that fails": (
        criterion(kind=Kind.QUADRATIC, quadratic=lambda self, k: 1 / 0),
        ArgumentError,
        r"total: quadratic\(3\) fails: ZeroDivisionError",
    ),
    "a ratio's form": (
        ratio(None),
        ArgumentError,
        r"parametric\(0.0\) gives a NoneType; return an objective",
    ),
    "a ratio's numbers": (
        ratio(quadratic(with_entry(WEIGHTS, 0, np.inf), NO_PAIRS)),
        DataError,
        r"quadratic\(3\).* for 'a'",
    ),
    "a ratio's bound": (
        ratio(quadratic(WEIGHTS, NO_PAIRS), np.nan),
        DataError,
        "bound_from_excess.* gives nan",
    ),
    "a fit's design": (
        criterion(kind=Kind.LEAST_SQUARES, least_squares=None),
        ArgumentError,
        "least_squares is a NoneType; give an altsel.stats.least_squares.Design",
    ),
}
EVERY = {**NUMBERS, **FORMS}


@pytest.mark.parametrize("name", NUMBERS)
def test_no_problem_is_made_of_numbers_that_cannot_be_used(name: str) -> None:
    objective, error, message = NUMBERS[name]
    with pytest.raises(error, match=message):
        Problem(objective, 3)
    with pytest.raises(error, match=message):
        altsel.domain.criterion(objective, at_least=3.0)


@pytest.mark.parametrize("name", EVERY)
def test_the_check_names_them(name: str) -> None:
    objective, error, message = EVERY[name]
    with pytest.raises(error, match=message):
        check_objective(objective, k=3, solvers=["highs"])


SEARCHES: dict[str, Callable[[Problem], Any]] = {
    "auto": lambda problem: altsel.sequential(problem, Dice(0.3), 1),
    "highs": lambda problem: altsel.sequential(problem, Dice(0.3), 1, "highs"),
    "near": lambda problem: altsel.near_optimal(problem, altsel.AbsoluteLoss(2.0)),
    "together": lambda problem: altsel.simultaneous(problem, Dice(0.3), 1),
}


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("name", FORMS)
def test_no_search_begins_with_a_form_that_cannot_be_used(name: str, search: str) -> None:
    objective, error, message = FORMS[name]
    with pytest.raises(error, match=message):
        SEARCHES[search](Problem(objective, 3))


def test_a_form_of_a_second_criterion_is_looked_at() -> None:
    objective, error, message = FORMS["pair missing"]
    rule = altsel.domain.criterion(objective, at_least=3.0)
    with pytest.raises(error, match=message):
        altsel.sequential(
            Problem(altsel.Univariate(dict(zip(NAMES, WEIGHTS, strict=True))), 3, [rule]), Dice(0.3), 0
        )


def test_every_size_is_looked_at() -> None:
    """A table that is wrong of one size only."""
    missing = with_entry(NO_PAIRS, (1, 2), np.nan)
    objective = criterion(
        kind=Kind.QUADRATIC, quadratic=lambda self, k: (WEIGHTS, missing if k == 3 else NO_PAIRS)
    )
    with pytest.raises(DataError, match=r"quadratic\(3\)"):
        altsel.sequential(Problem(objective, (2, 4)), Dice(0.3), 0)
    assert altsel.sequential(Problem(objective, 2), Dice(0.3), 0)[0].features == ("a", "b")


def test_infinite_pairs_exclude_and_rounding_is_no_asymmetry() -> None:
    pairs = with_entry(np.full((6, 6), 0.1), (0, 1), np.inf)
    pairs[1, 0] = np.inf
    pairs[2, 3] = 0.1 + 1e-16
    objective = criterion(
        kind=Kind.QUADRATIC,
        quadratic=lambda self, k: (WEIGHTS + (k - 1) * 0.05, pairs),
        is_feasible=lambda self, mask: not (mask[0] and mask[1]),
    )
    assert altsel.sequential(Problem(objective, 3), Dice(0.3), 0)[0].features == ("a", "c", "d")


@pytest.mark.parametrize("features", [list(NAMES), np.array(NAMES)])
def test_names_may_be_any_sequence(features: Any) -> None:
    found = altsel.sequential(Problem(criterion(features=features), 3), Dice(0.3), 0, "highs")
    assert found[0].features == ("a", "b", "c")
