"""Pairs that exclude each other as cliques, and as a rule that gives its rows as numbers."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from altsel import Problem, Univariate, domain
from altsel.exact.rules.linear_rules import rule_system
from altsel.models.cliques import OneOfEach, clique_cover
from altsel.models.problem import model_of_sets
from altsel.solvers.standard_form import to_rows


def conflicts(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 25))
    half = np.triu(rng.random((n, n)) < rng.random(), 1)
    return half | half.T


@pytest.mark.parametrize("seed", range(20))
def test_cliques_cover_every_pair_and_no_other(seed: int) -> None:
    conflict = conflicts(seed)
    covered = {pair for clique in clique_cover(conflict) for pair in combinations(clique, 2)}
    assert covered == {pair for pair in combinations(range(len(conflict)), 2) if conflict[pair]}


@pytest.mark.parametrize("seed", range(20))
def test_rows_given_as_numbers_are_those_of_the_model(seed: int) -> None:
    """Beside a rule that is read from the model."""
    conflict = conflicts(seed)
    names = [f"x{j}" for j in range(len(conflict))]
    rule = OneOfEach(names, clique_cover(conflict))
    problem = Problem(Univariate(dict.fromkeys(names, 1.0)), 2, [domain.at_most(1, names[:2]), rule])
    system = rule_system(problem)
    assert system is not None
    given = sorted((*row[:-1].tolist(), low, high) for row, low, high in system.rows)
    stated = to_rows(model_of_sets(problem))
    lines = zip(stated.matrix.toarray(), stated.low, stated.high, strict=True)
    assert given == sorted((*row.tolist(), low, high) for row, low, high in lines)
    assert not system.helpers.size
