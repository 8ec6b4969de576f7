"""Loops that numba compiles and their twins: each pair is run on the same numbers, and is a pair."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import altsel
from altsel.exact.kernels.climbs import Quadratic
from altsel.exact.kernels.error_free import two_sum
from altsel.exact.kernels.fit_data import Left, empty_levels, empty_listing
from altsel.exact.kernels.programs import FAR, Bound, Node, Program, Wanted
from altsel.exact.rules.limits import Limits
from altsel.exact.rules.linear_rules import Rules
from altsel.exact.sources.least_squares.compiled import LOOPS as FITS
from altsel.exact.sources.least_squares.tree import Tree as FitTree
from altsel.exact.sources.plain_sum.compiled import LOOPS as CHAINS
from altsel.exact.sources.plain_sum.conditions import read_conditions
from altsel.exact.sources.plain_sum.ground import ground
from altsel.exact.sources.plain_sum.tree import Tree, Way
from altsel.exact.sources.quadratic.convexified.compiled import LOOPS as CONVEXIFIED

Call = Callable[[Any, Any], list[Any]]
N = 12


def bounded(loops: Any, rng: np.random.Generator) -> list[Any]:
    """Bound a node under two rows at given prices, where the best point is the only one."""
    factors = rng.normal(size=(N, 2 * N))
    status = rng.choice(np.array([-1, 0, 0, 0, 0, 1], dtype=np.int8), N)
    status[:5] = 0
    need, free = 3, status == 0
    rows = rng.random((2, N))
    pairs = np.abs(rng.normal(size=(N, N)))
    program = Program(
        factors @ factors.T, pairs + pairs.T, rng.normal(size=N), rows, rows.sum(axis=1) / 3, 0.5, 1e-9
    )
    node = Node(status, np.where(free, need / free.sum(), 0.0), np.full(2, 0.3), np.empty(N))
    for _ in range(30):  # each goes on from the last point
        found = loops.relaxed(program, node, Wanted(need, FAR, 1, 0), np.empty((N, N)))
    branch = loops.branching(program.convex, program.pairs, status, node.x)
    return [*found, *node.prices, *np.minimum(node.gradient, 1e9), branch]


def fitted(loops: Any, rng: np.random.Generator) -> list[Any]:
    """Fit a point to the features needed."""
    status = rng.choice(np.array([-1, 0, 0, 0, 1], dtype=np.int8), N)
    need = int(rng.integers(1, max(2, (status == 0).sum())))
    x = np.where(rng.random(N) < 0.6, rng.random(N), 0.0) * rng.choice([0.1, 1.0])
    loops.fitted(x, status, need)
    assert x.sum() == pytest.approx(need)
    assert (x[status != 0] == 0).all()
    return list(x)


def decided(loops: Any, rng: np.random.Generator) -> list[Any]:
    """Decide what a bound decides, whether or not pairs exclude each other."""
    status = rng.choice(np.array([-1, 0, 0, 0, 1], dtype=np.int8), N)
    gradient = np.where(status == 0, rng.random(N), FAR)
    clash = rng.random((N, N)) < 0.2
    rivals = (clash | clash.T) if rng.random() < 0.5 else np.zeros((0, 0), dtype=bool)
    return [loops.decided(status, gradient, Bound(0.0, 0.4, 0.5), 0.3, rivals), *status.tolist()]


def climbed(loops: Any, rng: np.random.Generator) -> list[Any]:
    """Descend from sets under two rows."""
    double = rng.random((N, N))
    double += double.T
    np.fill_diagonal(double, 0.0)
    rows = rng.random((2, N))
    costs = Quadratic(rng.normal(size=N), double, rows, rows.sum(axis=1) / 3, 100.0)
    members = np.array([rng.permutation(N)[:4] for _ in range(5)])
    values = np.empty(5)
    loops.climbed(costs, members, values)
    return [*np.sort(members, axis=1).ravel().tolist(), *values]


def listed(loops: Any, rng: np.random.Generator) -> list[Any]:
    """List sets under a row after earlier sets, in two ways."""
    n, need = int(rng.integers(6, 14)), int(rng.integers(1, 6))
    rows = [(rng.integers(-1, 3, n).astype(float), -np.inf, 2.0)]
    stated = read_conditions(rng.choice([0.1, 0.2, 0.7, 0.3], n), Rules(rows, []))
    before = [np.sort(rng.permutation(n)[:need]) for _ in range(int(rng.integers(0, 70)))]
    given = ground(stated, np.arange(n), need, before, [need - 1] * len(before))
    found: list[Any] = []
    if given is not None:
        for way in (Way(), Way(need // 2, ruled=True)):
            tree = Tree(given, way, loops, 0.5, False, np.inf, 8)
            assert tree.run(10**6)
            members, scores = tree.listed()
            found += [tree.work, *members.ravel().tolist(), *scores]
    return found


def priced(loops: Any, rng: np.random.Generator) -> list[Any]:
    """Price rows."""
    rows = rng.random((2, N))
    price = loops.descend(rng.random(N), rows, rows.sum(axis=1) / 4, 4, np.zeros(2), 0.1, 40, 12)
    return list(price)


def columns_left(rng: np.random.Generator) -> Left:
    """Make columns that may be chosen, one of which hangs together with others."""
    columns = rng.normal(size=(9, 30)) + rng.normal(size=30)
    a, b = columns @ columns.T / 30, columns @ rng.normal(size=30) / 30
    d = rng.uniform(0, 0.9, 9) * np.linalg.eigvalsh(a)[0]
    d[0] = 0.0
    group = rng.choice([-1, -1, 0, 1], 9)
    return Left(np.arange(9), a, b, d, group, np.array([1, 2]), np.zeros(0), 4e-15, 1e3)


def stepped(loops: Any, rng: np.random.Generator) -> list[Any]:
    """Take each step at a node of the tree of linear fits."""
    left, z = columns_left(rng), rng.uniform(0, 1, 9)
    z[1] = 0.0
    others, need = np.flatnonzero(rng.random(9) < 0.7), rng.uniform(0, 0.3)
    steps = [
        *loops.swept(left.a, left.b, 2, others, left.rounding),
        *loops.priced(left.a, left.b, left.d, z, left.rounding, left.steepest),
        *loops.bounded(left, z, 3, need, 6),
        loops.shares(z, 3),
    ]
    return [number for step in steps for number in np.ravel(step).tolist()]


def paired(loops: Any, rng: np.random.Generator) -> list[Any]:
    """Bound pairs that follow a path, and go on with it: with copies, and columns products do not tell."""
    columns = rng.normal(size=(9, 30)) + rng.normal(size=30)
    columns[3], columns[7] = columns[1], columns[2] + 1e-8 * columns[4]
    levels, listing = empty_levels(9, 5), empty_listing(9, 5, 0)
    levels.a[1], levels.b[1], levels.rounding[1] = columns @ columns.T / 60, columns @ columns[0] / 60, 4e-15
    levels.a[1, 5] = levels.a[1, :, 5] = levels.b[1, 5] = 0.0
    listing.positions[1], listing.target_growth[1] = 9, rng.uniform(1, 3)
    listing.growth[1], listing.same[:] = rng.uniform(1, 3, 9), np.arange(9)
    listing.same[3] = 1
    count = loops.good_pairs(levels, listing, 1, rng.choice([-1.0, 0.3, 0.4]), 1e-9)
    least = loops.conditioned(levels, listing, 1, 7)
    own = np.tril(levels.a[2, :7, :7]), levels.b[2, :7], listing.growth[2, :7]
    found = listing.first[:count], listing.second[:count], np.minimum(listing.most[:count], 1e9)
    return [least, count, *(number for one in (*found, *own) for number in np.ravel(one).tolist())]


def fits_searched(loops: Any, rng: np.random.Generator) -> list[Any]:
    """Search the best linear fit under a row, and list good ones."""
    table = rng.normal(size=(30, 2)) @ rng.normal(size=(2, 9)) + rng.normal(size=(30, 9))
    table[:, 1] = table[:, 0] + rng.choice([0.0, 1e-7, 1.0]) * table[:, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)  # of nearly dependent columns
        quality = altsel.LinearFit(altsel.Dataset(table, table[:, 0] + 3 * rng.normal(size=30)))
    limits = Limits(rng.integers(0, 3, (1, 9)).astype(float), np.array([4.0]))
    tree, other = (FitTree(quality.design, 4, limits, using=loops) for _ in range(2))
    stop, bound = tree.search(1e-10)
    sets, values = other.listed(0.5 * tree.value, 1000)[1:]
    return [str(stop) == "exhausted", bound == -np.inf, tree.value, *np.ravel(sets).tolist(), *values]


@pytest.mark.long  # compiles
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(
    ("pair", "call"),
    [
        (CONVEXIFIED, bounded),
        (CONVEXIFIED, fitted),
        (CONVEXIFIED, decided),
        (CONVEXIFIED, climbed),
        (CHAINS, listed),
        (CHAINS, priced),
        (FITS, stepped),
        (FITS, paired),
        (FITS, fits_searched),
    ],
)
def test_compiled_loops_do_what_their_twins_do(pair: Any, call: Call, seed: int) -> None:
    if pair.compiled is None:
        pytest.skip("numba is not installed")
    for name, plain in vars(pair.plain).items():  # a pair is of two: neither kind stands for both
        if callable(plain):
            assert not hasattr(plain, "py_func")
            assert hasattr(getattr(pair.compiled, name), "py_func")
    one, other = (call(loops, np.random.default_rng(seed)) for loops in (pair.plain, pair.compiled))
    np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-6)


def test_a_sum_of_two_has_no_error() -> None:
    rng = np.random.default_rng(0)
    for a, b in (rng.normal(size=(50, 2)) * 10.0 ** rng.integers(-9, 9, (50, 2))).tolist():
        total, error = two_sum(a, b)
        assert total == a + b
        numbers = [one.as_integer_ratio() for one in (a, b, total, error)]
        scale = max(below for _, below in numbers)
        exact = [above * (scale // below) for above, below in numbers]
        assert exact[0] + exact[1] == exact[2] + exact[3]
