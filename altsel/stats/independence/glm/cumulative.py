"""Proportional-odds regression of ordinal targets, many models at once that differ in their last columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from altsel._types import FloatArray, IntArray
from altsel.stats.independence.glm.derivatives import ridged
from altsel.stats.independence.glm.families import ProportionalOdds
from altsel.stats.independence.glm.newton import (
    ENOUGH,
    HALVINGS,
    STEPS,
    added_rank,
    inner,
    orthonormal,
    products,
    score_statistic,
)


@dataclass(frozen=True, eq=False)
class CumulativeFit:
    """A proportional-odds model of the target given some features, to be extended by others.

    Rows are sorted by class. With ``a = theta_c - eta`` and ``b = theta_{c-1} - eta`` of a row of
    class c, and F the logistic function, ``F(a) - F(b) = F(a) (1 - F(b)) (1 - exp(b - a))``, whose
    logarithm is concave in thresholds and slopes.

    Attributes
    ----------
    family
        The family.
    response
        Ranks of the classes, shape (1, rows).
    design
        Intercept, for which the thresholds stand, and columns of the given features, of full rank.
    order, edges
        Rows sorted by class, and where each class ends among them.
    thresholds, eta
        Of this model; shapes (classes - 1,) and (1, rows), in the order of the data.
    log_likelihood
        Of this model.
    counts
        How often each row counts, shape (rows,); None: once.
    """

    family: ProportionalOdds
    response: FloatArray
    design: FloatArray
    order: IntArray
    edges: IntArray
    thresholds: FloatArray
    eta: FloatArray
    log_likelihood: float
    counts: FloatArray | None = None

    @property
    def columns(self) -> int:
        """Number of coefficients: thresholds and slopes."""
        return len(self.thresholds) + int(self.design.shape[1]) - 1

    @cached_property
    def _basis(self) -> FloatArray:
        return orthonormal(self.design, self.counts)

    @cached_property
    def _sorted(self) -> tuple[FloatArray, FloatArray]:
        """Slopes' columns and counts of the rows sorted by class."""
        counts = np.ones(len(self.order)) if self.counts is None else self.counts[self.order]
        return self.design[self.order, 1:], counts[:, None]

    def added_rank(self, blocks: FloatArray) -> FloatArray:
        """Count the columns of each block that the design does not determine."""
        return added_rank(self._basis, blocks, self.counts)

    def score(self, blocks: FloatArray) -> FloatArray:
        """Score statistics of adding each block of columns, shape (rows, models, columns)."""
        return score_statistic(*self._derivatives_here(blocks), self.columns)

    def row_scores(self) -> tuple[FloatArray, FloatArray]:
        """Differentiate each row's log-likelihood by its predictor and by the coefficients.

        Returns
        -------
        tuple
            Shapes (1, rows) and (rows, coefficients).
        """
        rank = self.response[0].astype(np.int64)
        ends = np.concatenate([[-np.inf], self.thresholds, [np.inf]])
        counts = np.ones(len(rank)) if self.counts is None else self.counts
        up = counts * special.expit(self.eta[0] - ends[rank + 1])
        down = counts * special.expit(ends[rank] - self.eta[0])
        classes = np.arange(len(self.thresholds))
        gap = np.diff(ends)[rank]
        between = np.where(np.isfinite(gap), counts / np.expm1(np.minimum(gap, 700)), 0.0)
        of_thresholds = np.where(rank[:, None] == classes, (up + between)[:, None], 0.0)
        of_thresholds -= np.where(rank[:, None] == classes + 1, (down + between)[:, None], 0.0)
        error = down - up
        return error[None], np.hstack([of_thresholds, self.design[:, 1:] * error[:, None]])

    def information(self, blocks: FloatArray) -> FloatArray:
        """Information of the models that each block extends, at this one."""
        return self._derivatives_here(blocks)[1]

    def _derivatives_here(self, blocks: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self._derivatives(blocks[self.order], self.eta[0, self.order, None], self.thresholds[None])

    def extended(self, blocks: FloatArray) -> FloatArray:
        """Log-likelihoods of the models that each block extends."""
        return self.climbed(blocks)[0]

    def climbed(self, blocks: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Extend the model by each block by Newton's method with halved steps.

        Returns
        -------
        tuple
            The log-likelihoods, the thresholds of shape (models, classes - 1), and the linear
            predictors of shape (rows, models).
        """
        blocks, count = blocks[self.order], blocks.shape[1]
        eta = np.repeat(self.eta[0, self.order, None], count, axis=1)
        thresholds = np.repeat(self.thresholds[None], count, axis=0)
        reached = self._log_likelihood(eta, thresholds)
        left, own, fixed = np.arange(count), len(self.thresholds), self.columns
        for _ in range(STEPS):
            gradient, information = self._derivatives(blocks[:, left], eta[:, left], thresholds[left])
            step = np.asarray(np.linalg.solve(ridged(information), gradient[:, :, None]))[:, :, 0]
            change = self._sorted[0] @ step[:, own:fixed].T
            change += np.einsum("nmd,md->nm", blocks[:, left], step[:, fixed:])
            before = reached[left].copy()
            self._advance((eta, thresholds), reached, left, (change, step[:, :own].copy()))
            promised = (gradient * step).sum(axis=1)
            left = left[(promised > ENOUGH) & (reached[left] > before)]
            if not len(left):
                break
        unsorted = np.empty_like(eta)
        unsorted[self.order] = eta
        return reached, thresholds, unsorted

    def _advance(
        self,
        models: tuple[FloatArray, FloatArray],
        reached: FloatArray,
        left: IntArray,
        change: tuple[FloatArray, FloatArray],
    ) -> None:
        """Move each model along its step, as far as its log-likelihood grows."""
        (eta, thresholds), (by_row, by_class) = models, change
        todo, scale = np.arange(len(left)), 1.0
        for _ in range(HALVINGS):
            moved = eta[:, left[todo]] + scale * by_row[:, todo]
            shifted = thresholds[left[todo]] + scale * by_class[todo]
            value = self._log_likelihood(moved, shifted)
            better = value >= reached[left[todo]]
            done = left[todo[better]]
            eta[:, done], thresholds[done], reached[done] = moved[:, better], shifted[better], value[better]
            todo = todo[~better]
            if not len(todo):
                return
            scale /= 2

    def _log_likelihood(self, eta: FloatArray, thresholds: FloatArray) -> FloatArray:
        """Log-likelihoods of models of sorted rows; minus infinity if thresholds are not in order."""
        gaps = np.diff(thresholds, axis=1)
        last, counts = self.edges[-2], self._sorted[1]
        above, below = self._margins(eta, thresholds)
        value = (counts[:last] * special.log_expit(above)).sum(axis=0)
        value += (counts[self.edges[0] :] * special.log_expit(-below)).sum(axis=0)
        between = np.log(-np.expm1(-np.where(gaps > 0, gaps, 1.0))) @ self._sizes[1:-1]
        return np.where((gaps > 0).all(axis=1), value + between, -np.inf)

    @cached_property
    def _sizes(self) -> FloatArray:
        """How many rows each class has."""
        totals = np.concatenate([[0.0], np.cumsum(self._sorted[1][:, 0])])
        return np.diff(totals[np.concatenate([[0], self.edges])])

    def _margins(self, eta: FloatArray, thresholds: FloatArray) -> tuple[FloatArray, FloatArray]:
        """``theta_c - eta`` of the rows below the last class, ``theta_{c-1} - eta`` above the first."""
        rows = np.diff(self.edges, prepend=0)
        above = np.repeat(thresholds, rows[:-1], axis=1).T - eta[: self.edges[-2]]
        below = np.repeat(thresholds, rows[1:], axis=1).T - eta[self.edges[0] :]
        return above, below

    def _derivatives(
        self, blocks: FloatArray, eta: FloatArray, thresholds: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Gradient and information of every extended model; `eta` and `thresholds` of one or of each.

        Coefficients are ordered: thresholds, slopes of the design, slopes of the block.
        """
        design, counts = self._sorted
        count, own, fixed = blocks.shape[1], len(self.thresholds), self.columns
        size, first, last = fixed + blocks.shape[2], self.edges[0], self.edges[-2]
        above, below = (special.expit(part) for part in self._margins(eta, thresholds))
        up, down = counts[:last] * (1 - above), counts[first:] * below
        bend_up, bend_down = up * above, down * (1 - below)
        error, weight = np.zeros_like(eta), np.zeros_like(eta)
        error[:last] -= up
        error[first:] += down
        weight[:last] += bend_up
        weight[first:] += bend_down
        gradient, information = np.zeros((count, size)), np.zeros((count, size, size))
        self._add_thresholds(gradient, information, blocks, (up, down, bend_up, bend_down))
        self._add_gaps(gradient, information, thresholds)
        gradient[:, own:fixed] = (design.T @ error).T
        gradient[:, fixed:] = products(blocks, error)
        weighted = blocks * weight[:, :, None]
        information[:, own:fixed, own:fixed] = np.einsum(
            "nm,np,nq->mpq", weight, design, design, optimize=True
        )
        for e in range(blocks.shape[2]):
            information[:, fixed + e, own:fixed] = weighted[:, :, e].T @ design
        information[:, own:fixed, fixed:] = np.swapaxes(information[:, fixed:, own:fixed], 1, 2)
        information[:, fixed:, fixed:] = inner(weighted, blocks)
        return gradient, information

    def _add_thresholds(
        self, gradient: FloatArray, information: FloatArray, blocks: FloatArray, parts: tuple[FloatArray, ...]
    ) -> None:
        """Add what the rows next to each threshold say of it: those below it (up) and above it (down)."""
        up, down, bend_up, bend_down = parts
        design, own, fixed = self._sorted[0], len(self.thresholds), self.columns
        starts = np.concatenate([[0], self.edges[:-1]])
        below, above = starts[:-1], starts[1:] - starts[1]
        classes = np.arange(own)
        gradient[:, :own] = (np.add.reduceat(up, below, axis=0) - np.add.reduceat(down, above, axis=0)).T
        bends = np.add.reduceat(bend_up, below, axis=0) + np.add.reduceat(bend_down, above, axis=0)
        information[:, classes, classes] = bends.T
        for j in range(own):
            lower, upper = slice(starts[j], self.edges[j]), slice(starts[j + 1], self.edges[j + 1])
            weights = bend_down[upper.start - starts[1] : upper.stop - starts[1]]
            for part, weight in ((lower, bend_up[lower]), (upper, weights)):
                information[:, j, own:fixed] -= weight.T @ design[part]
                information[:, j, fixed:] -= products(blocks[part], weight)
        information[:, own:, :own] = np.swapaxes(information[:, :own, own:], 1, 2)

    def _add_gaps(self, gradient: FloatArray, information: FloatArray, thresholds: FloatArray) -> None:
        """Add the derivatives of ``log(1 - exp(theta_{c-1} - theta_c))`` of the classes between."""
        gaps, sizes = np.diff(thresholds, axis=1), self._sizes[1:-1]
        odds = np.exp(-gaps) / -np.expm1(-gaps)
        slope = sizes * odds
        bend = slope * (1 + odds)
        upper = np.arange(1, thresholds.shape[1])
        gradient[:, upper] += slope
        gradient[:, upper - 1] -= slope
        information[:, upper, upper] += bend
        information[:, upper - 1, upper - 1] += bend
        information[:, upper, upper - 1] -= bend
        information[:, upper - 1, upper] -= bend


def fit_cumulative(
    family: ProportionalOdds, response: FloatArray, design: FloatArray, counts: FloatArray | None = None
) -> CumulativeFit:
    """Fit one model; the first column of the design is the intercept, for which the thresholds stand."""
    rank = response[0].astype(np.int64)
    order = np.argsort(rank, kind="stable")
    sizes = np.bincount(rank, weights=counts)
    share = np.cumsum(sizes)[:-1] / sizes.sum()
    eta = np.zeros_like(response)
    thresholds = special.logit(share)
    edges = np.cumsum(np.bincount(rank))
    model = CumulativeFit(family, response, design[:, :1], order, edges, thresholds, eta, -np.inf, counts)
    reached, found, predicted = model.climbed(design[:, None, 1:])
    return CumulativeFit(
        family, response, design, order, edges, found[0], predicted.T, float(reached[0]), counts
    )
