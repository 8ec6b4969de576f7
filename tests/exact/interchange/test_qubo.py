"""QUBO files: over all vectors, minima are the best sets by brute force, and energies minus their scores."""

from __future__ import annotations

import json
from itertools import combinations, product
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.exact.interchange.integer_rows import IntegerRow, integer_rows
from altsel.exact.interchange.qubo import qubo
from altsel.exact.interchange.qubo_files import bqm, read_qubo

KINDS = ("univariate", "fcbf", "mrmr", "mrmr-k2")
LEAN = 4
MANY = 200


def drawn(seed: int) -> tuple[altsel.Problem, Any, list[list[str]]]:
    """Draw a small question: any criterion, negative numbers too, rules, sizes and known sets."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 8))
    names = [f"x{j}" for j in range(n)]
    kind = KINDS[seed % len(KINDS)]
    negative = seed % 3 == 0 and kind != "fcbf"
    q = pd.Series(rng.normal(size=n) if negative else rng.random(n), index=names).round(3)
    r: Any = rng.normal(size=(n, n)) if negative else rng.random((n, n))
    r = pd.DataFrame((r + r.T) / 2, index=names, columns=names).round(3)
    given = altsel.Dependence(q, r)
    made: dict[str, Any] = {
        "univariate": lambda: altsel.Univariate(q),
        "fcbf": lambda: altsel.FCBF(given),
        "mrmr": lambda: altsel.MRMR(given),
        "mrmr-k2": lambda: altsel.MRMR(given, "k^2"),
    }
    quality = made[kind]()
    low = int(rng.integers(1, n - 1))
    free = kind in {"univariate", "fcbf"} and seed % 5 == 1
    rules: list[Any] = []
    if seed % 2:
        a, b, c = rng.permutation(names)[:3]
        rules = [
            altsel.domain.at_most(1, [a, b]),
            altsel.domain.implies(c, a),
            altsel.domain.budget(dict(zip(names, rng.integers(1, 4, n) / 2, strict=True)), float(n)),
        ][: 1 + seed % 3]
    known = [] if free or seed % 4 < 2 else [list(rng.permutation(names)[:low])]
    return altsel.Problem(quality, (low, low + 1) if free else low, rules), altsel.Dice(0.5), known


def best_by_brute_force(problem: altsel.Problem, known: list[list[str]]) -> float:
    """Return the best score of all sets that keep everything; minus infinity if there is none."""
    names, best = problem.objective.features, -inf
    for size in range(problem.sizes[0], problem.sizes[1] + 1):
        for one in combinations(names, size):
            mask = problem.mask(one)
            apart = all(2 * len({*one} & {*other}) <= 0.5 * (size + len(other)) for other in known)
            if apart and problem.objective.is_feasible(mask) and keeps(problem, one):
                best = max(best, problem.objective.score(mask))
    return best


def keeps(problem: altsel.Problem, one: tuple[str, ...]) -> bool:
    for rule in problem.subject_to:
        stated: Any = rule
        data = dict(stated.data)
        if "at_most" in data and any(
            len({*one} & {*part["of"]}) > part["number"] for part in data["at_most"]
        ):
            return False
        if "implies" in data and any(
            part["if"] in one and not {*part["then"]} <= {*one} for part in data["implies"]
        ):
            return False
        if "budget" in data and any(
            sum(part["cost"].get(name, 0) for name in one) > part["limit"] for part in data["budget"]
        ):
            return False
    return True


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=() if seed < LEAN else pytest.mark.long) for seed in range(MANY)]
)
def test_minima_are_the_best_sets(seed: int, tmp_path: Path) -> None:
    problem, diversity, known = drawn(seed)
    path = altsel.export(problem, tmp_path / "q.qubo", diversity, known=known)
    made = read_qubo(path)
    assert len(made.names) <= 22
    points = np.array(list(product((0, 1), repeat=len(made.names))), dtype=float)
    energies = made.energies(points)
    best = best_by_brute_force(problem, known)
    if best == -inf:
        assert energies.min() > made.none_above
        return
    assert energies.min() == pytest.approx(-best, rel=1e-9, abs=1e-9)
    assert energies.min() <= made.none_above
    minima = points[energies <= energies.min() + 1e-9]
    assert {len(made.chosen(point)) for point in minima} <= {*range(problem.sizes[0], problem.sizes[1] + 1)}
    for point in minima[:3]:
        found = made.chosen(point)
        assert keeps(problem, found)
        assert problem.objective.score(problem.mask(found)) == pytest.approx(best, abs=1e-9)


def test_penalties_of_sizes_are_small_and_enough() -> None:
    q = pd.Series({"a": 0.5, "b": 0.4, "c": 0.2})
    r = pd.DataFrame([[0, 0.2, 0], [0.2, 0, 0.6], [0, 0.6, 0]], index=q.index, columns=q.index)
    made = qubo(altsel.Problem(altsel.MRMR(altsel.Dependence(q, r)), k=2))
    # a_i = q_i / 2, b_ij = r_ij: adding c beside b costs at most -.1 + .6 = .5, removing a at most .25
    assert made.penalty == 1.0  # the least power of two above .5
    assert made.none_above == inf


def test_rules_become_integers() -> None:
    rows = [(np.array([0.1, 0.25]), -inf, 0.3), (np.array([1.0, 1.0]), 1.0, 1.0)]
    first, second = integer_rows(rows)
    assert first == IntegerRow({0: 2, 1: 5}, 6)
    assert second == IntegerRow({0: 1, 1: 1}, 1, equal=True)
    assert list(integer_rows([(np.array([1.0, 1.0]), -inf, 2.0)])) == []
    scaled = [(np.array([0.1, 0.25]) * 4, -inf, 0.3 * 4)]
    assert list(integer_rows(scaled)) == [first]
    with pytest.raises(altsel.ArgumentError, match="six decimals"):
        list(integer_rows([(np.array([1 / 3, 1.0]), -inf, 1.0)]))


def test_what_is_no_qubo_is_refused() -> None:
    q = pd.Series({"a": 0.5, "b": 0.4, "c": 0.2})
    r = pd.DataFrame(np.eye(3), index=q.index, columns=q.index)
    given = altsel.Dependence(q, r)
    with pytest.raises(altsel.ArgumentError, match="no quadratic form"):
        qubo(altsel.Problem(altsel.CFS(given), k=2))
    with pytest.raises(altsel.ArgumentError, match="fix k"):
        qubo(altsel.Problem(altsel.MRMR(given), k=(1, 2)))
    sums = altsel.Univariate(q)
    with pytest.raises(altsel.ArgumentError, match="known sets need a fixed k"):
        qubo(altsel.Problem(sums, k=(1, 2)), altsel.Dice(0.5), [["a"]])
    with pytest.raises(altsel.ArgumentError, match="need a dissimilarity"):
        qubo(altsel.Problem(sums, k=1), None, [["a"]])
    with pytest.raises(altsel.ArgumentError, match="of one set"):
        altsel.export(altsel.Problem(sums, k=1), "q.qubo", alternatives=1)
    with pytest.raises(altsel.ArgumentError, match="'xls' is no form"):
        altsel.export(altsel.Problem(sums, k=1), "q.xls")


def test_models_of_dimod_have_the_same_energies(tmp_path: Path) -> None:
    problem, diversity, known = drawn(7)
    path = altsel.export(problem, tmp_path / "q.json", diversity, known=known, form="bqm")
    plain = json.loads(path.read_text())
    made = qubo(problem, diversity, known)
    assert plain == json.loads(json.dumps(bqm(made)))
    assert (plain["num_variables"], plain["variable_type"]) == (len(made.names), "BINARY")
    point = np.random.default_rng(0).integers(0, 2, len(made.names))
    pairs = zip(plain["quadratic_head"], plain["quadratic_tail"], plain["quadratic_biases"], strict=True)
    energy = plain["offset"] + np.dot(plain["linear_biases"], point)
    energy += sum(bias * point[i] * point[j] for i, j, bias in pairs)
    assert energy == pytest.approx(float(made.energies(point[None])[0]))


def test_files_that_are_none_are_refused(tmp_path: Path) -> None:
    (file := tmp_path / "no.qubo").write_text("p qubo 0 2 2 1\n0 0 1\n")
    with pytest.raises(altsel.DataError, match="no QUBO file"):
        read_qubo(file)
