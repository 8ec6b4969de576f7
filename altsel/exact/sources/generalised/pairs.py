"""Which pairs of features may complete a set: a bound for all pairs at once.

Let g be the slopes of the model of the features chosen, and g_j, by feature, those of a model that has
more of feature j than is best. ``-L*`` is concave, and at slopes of a loss it is the tangent's constant; so
for any mixture ``g' = t_0 g + t_1 g_j + t_2 g_l``

``F(S + j + l) >= t_0 E + t_1 E_j + t_2 E_l - sum_{i in S + j + l} (x_i'g')^2 / (2 ridge)``,

and all that it takes are products of the columns with slopes of single features. The mixture is that for
which the products of j and l vanish. How much more of a feature is taken depends on what the other one takes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.kernels.model_nodes import Mixed
from altsel.exact.sources.generalised.compiled import Kernels, for_nodes
from altsel.stats.generalised.family import settle_constants
from altsel.stats.generalised.fit import fit_columns, rows_of
from altsel.stats.generalised.model import BATCH, RegularisedModel
from altsel.stats.generalised.worth import FittedModels

STEPS = 1.3, 1.6, 2.0, 2.7, 4.4
"""How much of a feature is taken, of the Newton step of it alone."""
MIXTURES = (2, 2), (1, 3), (3, 1), (0, 4), (4, 0), (3, 3)
"""Steps of the first and of the second feature of a pair that are mixed: ``1/a + 1/b`` is at most about 1."""
FEW = 8
"""Features of which all pairs are fitted at once."""


def hopeful_pairs(
    models: FittedModels, chosen: IntArray, free: IntArray, cutoff: float
) -> tuple[IntArray, FloatArray] | None:
    """Return the pairs of free features with which the chosen ones may cost less than a cutoff.

    Returns
    -------
    tuple or None
        The pairs, shape (pairs, 2), and parameters to begin their fits with, by Newton's step from the model
        of the chosen features; None: it is not known, as models have several predictors, features several
        columns, or pairs are few.
    """
    model = models.model
    if len(free) < FEW or not model.family.plain or (model.widths[free] > 1).any():
        return None
    room = cutoff - float(models.prices[chosen].sum())
    loops = for_nodes(model, len(chosen) + len(free))
    singles = _singles(model, chosen, free, loops)
    if loops is not None:
        mixtures, prices = np.array(MIXTURES), models.prices[free]
        first, second = np.nonzero(loops.hopeful(singles.mixable, mixtures, prices, room))
        return np.column_stack([free[first], free[second]]), singles.start.at(first, second)
    first, second = np.triu_indices(len(free), 1)
    limit = room - models.prices[free[first]] - models.prices[free[second]]
    left = np.ones(len(first), dtype=bool)
    for a, b in MIXTURES:
        some = np.flatnonzero(left)
        left[some] = ~(singles.mixed(a, b, first[some], second[some]) >= limit[some])
    first, second = first[left], second[left]
    return np.column_stack([free[first], free[second]]), singles.start.at(first, second)


@dataclass(frozen=True, eq=False)
class _Start:
    """The model of the chosen features, and its Newton steps towards pairs.

    Attributes
    ----------
    parameters
        Of the chosen features, filled up, shape (1 + s,).
    held
        Indices of those that are not filled up.
    along
        First derivatives by the free features, shape (n,).
    second
        Second ones, the chosen features moving along, shape (n, n).
    spread
        How much these move, shape (held, n).
    width
        Parameters of a feature, of which those but the first are filled up.
    """

    parameters: FloatArray
    held: IntArray
    along: FloatArray
    second: FloatArray
    spread: FloatArray
    width: int

    def at(self, j: IntArray, l: IntArray) -> FloatArray:  # noqa: E741
        """Return parameters for pairs, each feature of one column and filled up."""
        both, jj, ll = self.second[j, l], self.second[j, j], self.second[l, l]
        determinant = jj * ll - both * both
        one = (both * self.along[l] - ll * self.along[j]) / determinant
        two = (both * self.along[j] - jj * self.along[l]) / determinant
        result = np.tile(np.append(self.parameters, np.zeros(2 * self.width)), (len(j), 1))
        result[:, self.held] -= one[:, None] * self.spread[:, j].T + two[:, None] * self.spread[:, l].T
        result[:, -2 * self.width], result[:, -self.width] = one, two
        return result


@dataclass(frozen=True, eq=False)
class _Singles:
    """Slopes of models with some of one feature more, by their products with the columns.

    Attributes
    ----------
    ridge
        That of the model.
    base, along
        The tangent's constant of the model of the chosen features, and the products of its slopes with the
        free ones, shape (n,).
    within
        Its products with the chosen ones, shape (s,).
    constant
        Of each step and feature, shape (steps, n).
    products
        With the free ones, shape (steps, n, n), and with the chosen ones, shape (steps, n, s).
    start
        Where fits of pairs begin.
    """

    ridge: float
    base: float
    along: FloatArray
    within: FloatArray
    constant: FloatArray
    products: tuple[FloatArray, FloatArray]
    start: _Start

    @property
    def mixable(self) -> Mixed:
        """What the compiled loop takes."""
        return Mixed(self.ridge, self.base, self.along, self.within, self.constant, *self.products)

    def mixed(self, a: int, b: int, j: IntArray, l: IntArray) -> FloatArray:  # noqa: E741
        """Bound the losses of pairs, by step a of the first features and b of the second."""
        with_free, with_chosen = self.products
        at_j, at_l = self.along[j], self.along[l]
        jj, jl = with_free[a, j, j] - at_j, with_free[a, j, l] - at_l
        lj, ll = with_free[b, l, j] - at_j, with_free[b, l, l] - at_l
        determinant = jj * ll - lj * jl
        with np.errstate(divide="ignore", invalid="ignore"):
            one = np.clip(np.nan_to_num((lj * at_l - ll * at_j) / determinant), 0.0, 1.0)
            two = np.clip(np.nan_to_num((jl * at_j - jj * at_l) / determinant), 0.0, 1.0)
        over = np.maximum(one + two, 1.0)
        one, two = one / over, two / over
        bound = (1.0 - one - two) * self.base + one * self.constant[a, j] + two * self.constant[b, l]
        squares = (at_j + one * jj + two * lj) ** 2 + (at_l + one * jl + two * ll) ** 2
        for i in range(len(self.within)):
            own = self.within[i]
            squares += (own + one * (with_chosen[a, j, i] - own) + two * (with_chosen[b, l, i] - own)) ** 2
        return np.asarray(bound - squares / (2.0 * self.ridge))


def _singles(model: RegularisedModel, chosen: IntArray, free: IntArray, loops: Kernels | None) -> _Singles:
    """Find the slopes of models with some of one feature more.

    1. The model of the chosen features. 2. Newton's step of each free feature alone, the chosen ones moving
    along. 3. Slopes at several multiples of it.
    """
    ridge = model.ridge
    filled = model.columns_of(chosen[None])[0]
    places = np.flatnonzero(filled < len(model.owner))
    inside = filled[places]
    fitted = fit_columns(model, inside[None])
    held, more = model.columns[inside], model.columns[model.own[free, 0]]
    constants, b = fitted.parameters[0, :1], fitted.parameters[0, 1:]
    linear = b @ held
    at = _at_chosen(model, linear, constants, loops)
    slope, with_rest = at.slope, np.vstack([np.ones_like(linear), held, more])
    second = (with_rest * at.weights) @ with_rest.T
    known = len(held) + 1
    second[range(1, len(second)), range(1, len(second))] += ridge
    spread = np.linalg.solve(second[:known, :known], second[:known, known:])
    left = second[known:, known:] - second[:known, known:].T @ spread
    along = more @ slope
    step = -along / left.diagonal()
    moves = more - spread[1:].T @ held - spread[0][:, None]
    constant, with_free, with_chosen = [], [], []
    for size in STEPS:
        low, slopes = _more_of_each(model, linear + at.constant, size * step, moves, loops)
        constant.append(low)
        with_free.append(slopes @ more.T)
        with_chosen.append(slopes @ held.T)
    products = np.array(with_free), np.array(with_chosen)
    parameters = np.zeros(1 + len(filled))
    kept = np.append(0, 1 + places)
    parameters[kept] = np.append(at.constant, b)
    start = _Start(parameters, kept, along, left, spread, model.own.shape[1])
    return _Singles(ridge, at.base, along, held @ slope, np.array(constant), products, start)


@dataclass(frozen=True, eq=False)
class _Chosen:
    """The model of the chosen features: constant, the tangent's constant, rows' slopes and curvatures."""

    constant: float
    base: float
    slope: FloatArray
    weights: FloatArray


def _at_chosen(
    model: RegularisedModel, linear: FloatArray, constants: FloatArray, loops: Kernels | None
) -> _Chosen:
    """Find slopes of the model of the chosen features, predictors of shape (m,), that add up to 0."""
    if loops is not None:
        rows, constant = rows_of(model), float(constants[0])
        slope, weights = np.empty_like(linear), np.empty_like(linear)
        z = linear + rows.table[2] + constant
        base = loops.tangent(rows, z, slope, weights)
        return _Chosen(constant, base, slope, weights)
    settled, losses = settle_constants(model.family, linear[None, None], constants[None])
    base = float(model.tangents(losses, linear[None, None])[0])
    return _Chosen(float(settled[0, 0]), base, losses.slope[0, 0], losses.kept[0][0])


def _more_of_each(
    model: RegularisedModel, linear: FloatArray, along: FloatArray, moves: FloatArray, loops: Kernels | None
) -> tuple[FloatArray, FloatArray]:
    """Return the tangents' constants, and the slopes, of models with more of one feature."""
    if loops is not None:
        rows, constant, slopes = rows_of(model), np.empty(len(moves)), np.empty(moves.shape)
        loops.more_of_each(rows, linear + rows.table[2], along, moves, constant, slopes)
        return constant, slopes
    size = max(BATCH // moves.shape[1], 1)
    parts = []
    for first in range(0, len(moves), size):
        some = slice(first, first + size)
        z = (linear + along[some, None] * moves[some])[:, None]
        parts.append(model.tangent(z, np.zeros((len(z), 1)), 0))
    constant, slope = (np.concatenate(part) for part in zip(*parts, strict=True))
    return constant, slope[:, 0]
