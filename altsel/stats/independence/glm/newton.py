"""Fit many generalised linear models at once that differ in their last columns only."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.runtime.clock import clock
from altsel.stats.independence.glm.derivatives import derivatives
from altsel.stats.independence.glm.design import PLAIN, RANK
from altsel.stats.independence.glm.families import Gaussian, GLMFamily
from altsel.stats.independence.glm.newton_steps import NewtonSteps

STEPS = 40
HALVINGS = 40
"""Where a class is all but impossible after a step too far, the next one is as long as its share is small."""
ENOUGH = 1e-5
"""A fit ends with the step whose Newton decrement is at most this: what is left is of its square."""
ROUNDING = 1e-6
"""By what part a bound is lowered for the sake of rounding."""
NEARLY = 1e-17
"""By earlier information it ends where the next step, which would promise as much less again, is no more."""
EQUAL = 1e-14
"""Part of a log-likelihood that is rounding."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A model of the target given some features, to be extended by others.

    Attributes
    ----------
    family, response
        The family and the target's responses, shape (predictors, rows).
    design
        Columns of the given features, shape (rows, columns), of full rank.
    eta
        Linear predictors, shape (predictors, rows).
    log_likelihood
        Of this model.
    counts
        How often each row counts, shape (rows,); None: once.
    ended
        Whether the last step of the fit promised far less than the one before: where classes are separated,
        each goes on by as much.
    """

    family: GLMFamily
    response: FloatArray
    design: FloatArray
    eta: FloatArray
    log_likelihood: float
    counts: FloatArray | None = None
    ended: bool = True

    @property
    def columns(self) -> int:
        """Coefficients for each predictor."""
        return int(self.design.shape[1])

    @property
    def coefficients(self) -> FloatArray:
        """Coefficients of the design's columns, shape (predictors, columns)."""
        return np.asarray(np.linalg.lstsq(self.design, self.eta.T, rcond=None)[0].T)

    @cached_property
    def _basis(self) -> FloatArray:
        return orthonormal(self.design, self.counts)

    def residual(self, columns: FloatArray) -> FloatArray:
        """Return what the design leaves of some columns; shape (rows, columns)."""
        return residual(self._basis, columns, self.counts)

    def added_rank(self, blocks: FloatArray) -> FloatArray:
        """Count the columns of each block that the design does not determine."""
        if plainly_independent(self.design, blocks, self.counts):
            return np.full(blocks.shape[1], float(blocks.shape[2]))
        return added_rank(self._basis, blocks, self.counts)

    def score(self, blocks: FloatArray) -> FloatArray:
        """Score statistics ``U' (I_xx - I_xz I_zz^-1 I_zx)^-1 U`` of adding each block of columns.

        Parameters
        ----------
        blocks
            Shape (rows, models, columns).
        """
        if not isinstance(self.family, Gaussian):
            return self.scored(blocks)[0]
        errors = self.response - self.eta if self.counts is None else (self.response - self.eta) * self.counts
        rest = self.residual(blocks.reshape(len(blocks), -1)).reshape(blocks.shape)
        gradient = products(rest, errors.T)
        information = inner(rest if self.counts is None else rest * self.counts[:, None, None], rest)
        return score_statistic(gradient, information, 0)

    def scored(self, blocks: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return score statistics, what each block adds to the log-likelihood at least, and Newton's step.

        Along a step by which no row's predictors move farther apart, or from 0, than r, third derivatives of
        the log-likelihood are at most r times second ones: for `Categorical`, `Poisson` and
        `NegativeBinomial`, to which the second array applies. See `least_gain`.

        References
        ----------
        Bach, Electronic Journal of Statistics 4 (2010), lemma 1.
        """
        outputs, fixed, (_, count, width) = len(self.response), self.design.shape[1], blocks.shape
        gradient, information = derivatives(self, blocks, self.eta[:, :, None])
        statistic, step = score_step(gradient, information, outputs * fixed)
        known = step[:, : outputs * fixed].reshape(count, outputs, fixed)
        new = step[:, outputs * fixed :].reshape(count, outputs, width)
        reach = _spread(known) @ self._farthest + (_spread(new) * np.abs(blocks).max(axis=0)).sum(axis=1)
        bend = np.einsum("mi,mij,mj->m", step, information, step, optimize=True)
        return statistic, least_gain((gradient * step).sum(axis=1), bend, reach), step

    def gain(self, blocks: FloatArray, step: FloatArray) -> FloatArray:
        """Return what such steps of the coefficients add to the log-likelihood, less than 0 if too long."""
        moved = self.eta[:, :, None] + self._predicted(blocks, step)
        with np.errstate(over="ignore", invalid="ignore"):  # of steps that lead away
            value = self.family.log_likelihood(self.response, moved, self.counts)
        return np.nan_to_num(value - self.log_likelihood, nan=-np.inf, posinf=-np.inf)

    @cached_property
    def _farthest(self) -> FloatArray:
        """The largest absolute value of each column of the design."""
        return np.asarray(np.abs(self.design).max(axis=0))

    def row_scores(self) -> tuple[FloatArray, FloatArray]:
        """Differentiate each row's log-likelihood by its predictors and by the coefficients.

        Returns
        -------
        tuple
            Shapes (predictors, rows) and (rows, coefficients).
        """
        mean = self.family.mean(self.eta)
        errors = np.stack([self.family.errors(self.response, mean, a) for a in range(len(mean))])
        if self.counts is not None:
            errors = errors * self.counts
        return errors, np.hstack([self.design * error[:, None] for error in errors])

    def information(self, blocks: FloatArray) -> FloatArray:
        """Information of the models that each block extends, at this one."""
        return derivatives(self, blocks, self.eta[:, :, None])[1]

    def extended(self, blocks: FloatArray) -> FloatArray:
        """Log-likelihoods of the models that each block extends."""
        return self.climbed(blocks)[0]

    def climbed(self, blocks: FloatArray) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Extend the model by each block by Newton's method with halved steps.

        Returns
        -------
        tuple
            The log-likelihoods, the linear predictors of shape (predictors, rows, models), and which of
            the fits `ended`.
        """
        count = blocks.shape[1]
        steps = NewtonSteps(self, blocks)
        eta = np.repeat(self.eta[:, :, None], count, axis=2)
        reached = self.family.log_likelihood(self.response, eta, self.counts)
        for _ in range(STEPS):
            clock().check()
            left = steps.left
            step, promised, fresh = steps.next(eta)
            before, last = reached[left], steps.last[left]
            parts = self._advance(eta, reached, left, self._predicted(blocks[:, left], step))
            near = (promised <= ENOUGH) & (fresh | (promised**2 <= NEARLY * last))
            steps.taken(parts, promised, ~near & ((reached[left] > before) | ~fresh))
            if not len(steps.left):
                break
        return reached, eta, ~steps.slow

    def _advance(
        self, eta: FloatArray, reached: FloatArray, left: IntArray, change: FloatArray
    ) -> FloatArray:
        """Move each model along its step, as far as its log-likelihood grows; return how far that is."""
        todo, parts = np.arange(len(left)), np.zeros(len(left))
        for halving in range(HALVINGS):
            moved = eta[:, :, left[todo]] + change[:, :, todo]
            value = self.family.log_likelihood(self.response, moved, self.counts)
            before = reached[left[todo]]
            better = value >= before - EQUAL * np.abs(before)
            done = left[todo[better]]
            eta[:, :, done] = moved[:, :, better]
            reached[done], parts[todo[better]] = value[better], 0.5**halving
            todo = todo[~better]
            if not len(todo):
                break
            change[:, :, todo] /= 2
        return parts

    def _predicted(self, blocks: FloatArray, step: FloatArray) -> FloatArray:
        """Change of the linear predictors by a step of the coefficients; shape (predictors, rows, models)."""
        outputs, fixed = len(self.response), self.design.shape[1]
        split = outputs * fixed
        known = step[:, :split].reshape(len(step), outputs, fixed)
        new = step[:, split:].reshape(len(step), outputs, blocks.shape[2])
        if blocks.shape[1] == 1:
            return np.asarray((known[0] @ self.design.T + new[0] @ blocks[:, 0].T)[:, :, None])
        parts = [
            self.design @ known[:, a].T + np.einsum("nmd,md->nm", blocks, new[:, a]) for a in range(outputs)
        ]
        return np.stack(parts)


def fit(
    family: GLMFamily,
    response: FloatArray,
    design: FloatArray,
    counts: FloatArray | None = None,
    near: FloatArray | None = None,
) -> Fitted:
    """Fit one model; the first column of the design is the intercept.

    It begins without any effect, or at linear predictors of the design that are `near`, if they are likelier.
    """
    if isinstance(family, Gaussian):
        eta = response - residual(orthonormal(design, counts), response.T, counts).T
        return Fitted(
            family, response, design, eta, float(family.log_likelihood(response, eta, counts)), counts
        )
    start = family.flat(response, counts)
    value = float(family.log_likelihood(response, start, counts))
    if near is not None:
        with np.errstate(over="ignore", invalid="ignore"):  # of steps that led away
            there = float(family.log_likelihood(response, near, counts))
        if there > value:
            start, value = near, there
    return _climbed_from(Fitted(family, response, design[:, :0], start, value, counts), design)


def fit_from(smaller: Fitted, design: FloatArray) -> Fitted:
    """Fit the model of a design that spans that of a smaller model, from this; a fit without end anew."""
    found = _climbed_from(smaller, design)
    return found if found.ended else fit(smaller.family, smaller.response, design, smaller.counts)


def _climbed_from(start: Fitted, design: FloatArray) -> Fitted:
    bare = replace(start, design=design[:, :0])
    reached, eta, ended = bare.climbed(design[:, None, :])
    return replace(
        start, design=design, eta=eta[:, :, 0], log_likelihood=float(reached[0]), ended=bool(ended[0])
    )


def with_coefficients(
    family: GLMFamily,
    response: FloatArray,
    design: FloatArray,
    coefficients: FloatArray,
    counts: FloatArray | None = None,
) -> Fitted:
    """Return the model of a design with such coefficients, shape (predictors, columns)."""
    eta = coefficients @ design.T
    return Fitted(family, response, design, eta, float(family.log_likelihood(response, eta, counts)), counts)


def orthonormal(design: FloatArray, counts: FloatArray | None) -> FloatArray:
    """Return an orthonormal basis of columns, each row multiplied by the square root of its count."""
    weighted = design if counts is None else design * np.sqrt(counts)[:, None]
    return np.asarray(np.linalg.qr(weighted)[0])


def residual(basis: FloatArray, columns: FloatArray, counts: FloatArray | None) -> FloatArray:
    """Return what least squares by a basis leave of some columns, rows weighted as in the basis."""
    if counts is None:
        return np.asarray(columns - basis @ (basis.T @ columns))
    roots = np.sqrt(counts)[:, None]
    weighted = columns * roots
    return np.asarray((weighted - basis @ (basis.T @ weighted)) / roots)


def added_rank(basis: FloatArray, blocks: FloatArray, counts: FloatArray | None) -> FloatArray:
    """Count the columns of each block that an orthonormal basis does not span."""
    rows = len(blocks)
    rest = residual(basis, blocks.reshape(rows, -1), counts).reshape(blocks.shape)
    grams = inner(rest, rest) if counts is None else inner(rest * counts[:, None, None], rest)
    grams /= rows if counts is None else counts.sum()
    return np.asarray((np.linalg.eigvalsh(grams) > RANK).sum(axis=1), dtype=float)


def plainly_independent(design: FloatArray, blocks: FloatArray, counts: FloatArray | None) -> bool:
    """Return whether products of columns show that the design determines no column of any block.

    Mean squares of columns are 1; less than `PLAIN` left of some may be so, too.
    """
    rows, flat = len(blocks) if counts is None else counts.sum(), blocks.reshape(len(blocks), -1)
    weighted = design if counts is None else design * counts[:, None]
    try:
        lower = np.linalg.cholesky(weighted.T @ design / rows - PLAIN * np.eye(design.shape[1]))
    except np.linalg.LinAlgError:
        return False
    across = np.linalg.solve(lower, weighted.T @ flat / rows).reshape(len(lower), *blocks.shape[1:])
    own = inner(blocks if counts is None else blocks * counts[:, None, None], blocks) / rows
    left = own - np.einsum("cmd,cme->mde", across, across)
    return bool((np.linalg.eigvalsh(left) > PLAIN).all())


def score_statistic(gradient: FloatArray, information: FloatArray, fixed: int) -> FloatArray:
    """Score statistics of the coefficients after the first `fixed`, at which the gradient vanishes."""
    return score_step(gradient, information, fixed)[0]


def score_step(gradient: FloatArray, information: FloatArray, fixed: int) -> tuple[FloatArray, FloatArray]:
    """Return the same, and Newton's step of all coefficients; shape (models, coefficients)."""
    within, across = information[0, :fixed, :fixed], information[:, fixed:, :fixed]
    try:
        explained = np.linalg.solve(within, np.swapaxes(across, 1, 2))
    except np.linalg.LinAlgError:  # the given features separate the classes: no row tells anything more
        explained = np.linalg.pinv(within, hermitian=True) @ np.swapaxes(across, 1, 2)
    schur = information[:, fixed:, fixed:] - across @ explained
    u = gradient[:, fixed:, None]
    new = np.linalg.pinv(schur, 1e-9, hermitian=True) @ u
    statistic = (np.swapaxes(u, 1, 2) @ new)[:, 0, 0]
    step = np.hstack([-explained @ new, new])[:, :, 0]
    return np.maximum(statistic, 0.0), step  # rounding, where the given features leave next to nothing


def least_gain(slope: FloatArray, bend: FloatArray, reach: FloatArray) -> FloatArray:
    """``max_t t s - b (exp(rt) - rt - 1) / r^2``: what steps along a line raise a function by at least.

    Its first derivative along the line is s, its second one ``-b`` at first and ``-b exp(rt)`` at most.
    """
    reach = np.maximum(reach, 1e-3)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        way = np.log1p(reach * slope / bend) / reach
        gain = way * (slope + bend / reach) - slope / reach
    return np.asarray(np.where(np.isfinite(gain), np.maximum(gain * (1 - ROUNDING), 0.0), 0.0))


def _spread(coefficients: FloatArray) -> FloatArray:
    """How far apart the predictors and 0 are moved by each column; shape (models, columns)."""
    return np.asarray(np.maximum(coefficients.max(axis=1), 0.0) - np.minimum(coefficients.min(axis=1), 0.0))


def products(blocks: FloatArray, error: FloatArray) -> FloatArray:
    """Sum over the rows the products of each model's columns and its errors; shape (models, columns)."""
    shaped = np.broadcast_to(error, blocks.shape[:2])
    return np.asarray(np.einsum("nmd,nm->md", blocks, shaped))


def inner(left: FloatArray, right: FloatArray) -> FloatArray:
    """Sum over the rows the products of the columns of each model; shape (models, columns, columns)."""
    if left.shape[2] == 1:
        return np.asarray(np.einsum("nmd,nme->mde", left, right))
    return np.asarray(left.transpose(1, 2, 0) @ right.transpose(1, 0, 2))
