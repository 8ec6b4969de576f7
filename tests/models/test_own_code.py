"""Functions of the user's own that fail or give no number: one error that names them, in every search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import joblib
import numpy as np
import pytest

import altsel
from altsel import AltselError, ArgumentError, DataError, Dice, Problem, Univariate
from altsel.exact.sources.every_set import engine as all_sets
from altsel.models.own_code import call_own, number_of
from tests.models.test_declarations import NAMES, WEIGHTS, criterion

PROBLEM = Problem(Univariate(dict(zip(NAMES, WEIGHTS.tolist(), strict=True))), 3)


@dataclass(frozen=True)
class Own:
    """Dice, by rows."""

    tau: Any = 0.5

    def __call__(self, first: Any, second: Any) -> Any:
        return 1 - 2 * len(set(first) & set(second)) / (len(first) + len(second))

    def rows(self, block: Any, first: Any, second: Any) -> Any:
        total = sum(first[f] + second[f] for f in first)
        return 2 * sum(first[f] * second[f] for f in first) <= (1 - self.tau) * total


def own(tau: Any = 0.5, **changed: Any) -> Any:
    kind: Any = type("Own", (Own,), {"__call__": Own.__call__, "rows": Own.rows, **changed})
    return dataclass(frozen=True)(kind)(tau)


def by_share(share: Any) -> Any:
    parts = {"__annotations__": {"tau": float}, "__call__": Own.__call__, "share": share}
    kind: Any = type("Own", (), parts)
    return dataclass(frozen=True)(kind)(0.5)


SEARCHES: dict[str, Callable[[Any], Any]] = {
    "sequential": lambda by: altsel.sequential(PROBLEM, by, 1),
    "a solver": lambda by: altsel.sequential(PROBLEM, by, 1, "highs"),
    "sizes free": lambda by: altsel.sequential(Problem(PROBLEM.objective, (2, 3)), by, 1, "highs"),
    "simultaneous": lambda by: altsel.simultaneous(PROBLEM, by, 1),
    "near_optimal": lambda by: altsel.near_optimal(PROBLEM, altsel.AbsoluteLoss(3.0), dissimilarity=by),
    "satisfying": lambda by: altsel.satisfying(PROBLEM, by, 1, least=1.0),
    "most_different": lambda by: altsel.most_different(PROBLEM, by, 1, altsel.AbsoluteLoss(6.0)),
    "pareto_front": lambda by: altsel.pareto_front(PROBLEM, by),
    "enumerate_valid": lambda by: list(altsel.enumerate_valid(PROBLEM, by, [NAMES[:3]])),
    "sample_valid": lambda by: altsel.sample_valid(PROBLEM, 2, by, [NAMES[:3]]),
    "wrapper": lambda by: altsel.wrapper(PROBLEM, by, 1),
    "replacement": lambda by: altsel.greedy.replacement(PROBLEM, by, 1),
    "balancing": lambda by: altsel.greedy.balancing(PROBLEM, by, 1),
    "explain": lambda by: altsel.explain(PROBLEM, by, 1),
    "explain together": lambda by: altsel.explain(PROBLEM, by, 1, together=True),
    "sweep": lambda by: altsel.sweep(PROBLEM, [by], alternatives=1),
    "formulate": lambda by: altsel.formulate(PROBLEM, by, 1),
}
BETWEEN = r"Own: __call__ for \('.', '.'(, '.')?\) and \('.', '.'(, '.')?\) "
DISTANCES: dict[str, tuple[Any, str]] = {
    "None": (own(__call__=lambda self, a, b: None), BETWEEN + "gives None; it must be a finite number"),
    "a text": (own(__call__=lambda self, a, b: "0.6"), BETWEEN + "gives '0.6'"),
    "an array": (own(__call__=lambda self, a, b: np.array([0.6])), BETWEEN + r"gives array\(\[0.6\]\)"),
    "missing": (own(__call__=lambda self, a, b: np.nan), BETWEEN + "gives nan"),
    "infinite": (own(__call__=lambda self, a, b: np.inf), BETWEEN + "gives inf"),
    "complex": (own(__call__=lambda self, a, b: 1j), BETWEEN + "gives 1j"),
    "a key": (own(__call__=lambda self, a, b: dict[str, float]()["x"]), BETWEEN + "fails: KeyError: 'x'"),
    "a division": (own(__call__=lambda self, a, b: 1 / 0), BETWEEN + "fails: ZeroDivisionError"),
    "one argument": (own(__call__=lambda self, a: 1.0), BETWEEN + "fails: TypeError"),
    "rows that fail": (own(rows=lambda self, b, x, y: 1 / 0), "'Own.rows' fails: ZeroDivisionError"),
    "tau None": (own(None), "Own: tau=None; use a number from 0"),
    "tau a text": (own("0.5"), "Own: tau='0.5'; use a number from 0"),
    "tau missing": (own(float("nan")), "Own: tau=nan; use a number from 0"),
    "tau above 1": (own(2), "Own: tau=2; use a number from 0"),
    "share a float": (by_share(0.25), r"Own: share=0.25; give a fraction .*fractions.Fraction\(1, 4\)"),
    "share a text": (by_share("1/4"), "Own: share='1/4'; give a fraction"),
    "share below 0": (by_share(Fraction(-1, 4)), r"Own: share=Fraction\(-1, 4\); give a fraction"),
    "share and rows None": (by_share(None), "Own has no share, and its rows cannot be called; add share"),
    "share that fails": (by_share(property(lambda self: 1 / 0)), "Own: share fails: ZeroDivisionError"),
    "share too loose": (by_share(Fraction(1, 2)), "Own: .*not enough for tau=0.5, and its share allows them"),
    "share too tight": (by_share(Fraction(1, 8)), "Own: .*enough for tau=0.5, and its share forbids them"),
    "a class": (Own, "Own is a class; give one of its kind"),
}


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("name", DISTANCES)
def test_a_distance_that_cannot_be_used_is_named(name: str, search: str) -> None:
    by, message = DISTANCES[name]
    with pytest.raises(ArgumentError, match=message):
        SEARCHES[search](by)


@pytest.mark.parametrize("kind", [float, np.float64, np.float32, Fraction, Decimal, np.array])
def test_any_single_number_is_a_distance(kind: Any) -> None:
    by = own(__call__=lambda self, a, b: kind(Own()(a, b)))
    for search in ("sequential", "a solver", "near_optimal"):
        found = SEARCHES[search](by)
        assert [one.features for one in found] == [one.features for one in SEARCHES[search](Dice(0.5))]


@pytest.mark.parametrize("fault", [KeyboardInterrupt, MemoryError, altsel.SolverError("as it is")])
def test_what_is_no_fault_of_the_function_passes(fault: Any) -> None:
    def fails() -> None:
        raise fault

    with pytest.raises(fault if isinstance(fault, type) else altsel.SolverError):
        call_own(fails, (), lambda: "function")


@pytest.mark.parametrize("value", [None, "1", b"1", 1j, np.complex64(1), np.ones(1), [1.0], 10**400])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(ArgumentError, match=r"quality gives .*; it must be a finite number"):
        number_of(value, lambda: "quality")


QUESTIONS: dict[str, Callable[[Problem], Any]] = {
    "auto": lambda problem: altsel.sequential(problem, Dice(0.5), 1),
    "highs": lambda problem: altsel.sequential(problem, Dice(0.5), 1, "highs"),
    "near": lambda problem: altsel.near_optimal(problem, altsel.AbsoluteLoss(2.0)),
    "together": lambda problem: altsel.simultaneous(problem, Dice(0.5), 1),
    "start": lambda problem: altsel.sequential(problem, Dice(0.5), 0, start=[NAMES[:3]]),
    "wrapper": lambda problem: altsel.wrapper(problem, Dice(0.5), 0),
}
OF = r"total: {} of \('.', '.', '.'\).* "
FORMULAS: dict[str, tuple[dict[str, Any], type[AltselError], str]] = {
    "fails": ({"score": lambda self, mask: 1 / 0}, ArgumentError, OF.format("score") + "fails: ZeroDivision"),
    "None": ({"score": lambda self, mask: None}, DataError, OF.format("score") + "gives None; it must be"),
    "a text": ({"score": lambda self, mask: "3"}, DataError, OF.format("score") + "gives '3'; it must be"),
    "an array": ({"score": lambda self, mask: WEIGHTS}, DataError, OF.format("score") + r"gives array\("),
    "missing": ({"score": lambda self, mask: np.nan}, DataError, "total gives nan for .*finite number"),
    "feasible fails": (
        {"is_feasible": lambda self, mask: 1 / 0},
        ArgumentError,
        OF.format("is_feasible") + "fails: ZeroDivision",
    ),
    "feasible None": (
        {"is_feasible": lambda self, mask: None},
        ArgumentError,
        OF.format("is_feasible") + "gives None; return True or False",
    ),
}


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_that_cannot_be_used_is_named(
    name: str, question: str, listed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared, error, message = FORMULAS[name]
    if not listed:
        monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    with pytest.raises(error, match=message.replace(r"\('.', '.', '.'\)", r"\(.*\)")):
        QUESTIONS[question](Problem(criterion(**declared), 3))


def test_scores_of_many_sets_are_looked_at() -> None:
    few = criterion(scores=lambda self, members: np.zeros(2))
    with pytest.raises(ArgumentError, match=r"total: scores has shape \(2,\), and not \(20,\)"):
        altsel.sequential(Problem(few, 3), Dice(0.5), 0)
    missing = criterion(scores=lambda self, members: np.full(len(members), np.nan))
    with pytest.raises(DataError, match=r"total: scores gives nan for \('a', 'b', 'c'\)"):
        altsel.sequential(Problem(missing, 3), Dice(0.5), 0)
    exchanged = criterion(exchangeable=True, exchanged=lambda self, members: np.zeros((3, 2)))
    with pytest.raises(ArgumentError, match=r"total: exchanged has shape \(3, 2\), and not \(3, 6\)"):
        altsel.models.check_objective(exchanged, k=3, solvers=["highs"])


@pytest.mark.parametrize("method", ["add_cut", "set_helper_values", "complete"])
def test_methods_on_the_model_that_fail_are_named(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fails = criterion(**{method: lambda self, *given: 1 / 0})
    stated = altsel.formulate if method == "complete" else QUESTIONS["highs"]
    if method == "set_helper_values":
        stated = QUESTIONS["start"]
        monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    with pytest.raises(ArgumentError, match=f"total: {method} fails: ZeroDivisionError"):
        stated(Problem(fails, 3))


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(
    ("quality", "error", "message"),
    [
        (lambda names: 1 / 0, ArgumentError, r"the quality of \('a', .* fails: ZeroDivisionError"),
        (lambda names: None, DataError, r"the quality of \('a', .* gives None; it must be a finite number"),
        (lambda names: "3", DataError, r"the quality of \('a', .* gives '3'"),
    ],
)
def test_black_boxes_that_fail_are_named(n_jobs: int, quality: Any, error: Any, message: str) -> None:
    with joblib.parallel_config("threading"), pytest.raises(error, match=message):
        altsel.sequential(Problem(altsel.BlackBox(quality, NAMES, n_jobs), 2), Dice(0.5), 0)


@pytest.mark.parametrize("end", ["3", b"3", True, np.True_, None, [3.0], float("nan")])
def test_ends_of_a_second_criterion_are_numbers(end: Any) -> None:
    other = PROBLEM.objective
    with pytest.raises(ArgumentError, match="criterion: "):
        altsel.domain.criterion(other, at_least=end)
    with pytest.raises(ArgumentError, match="criterion: "):
        altsel.domain.criterion(other, at_most=end)
    with pytest.raises(ArgumentError, match="minimum_quality: "):
        altsel.domain.minimum_quality(end)
