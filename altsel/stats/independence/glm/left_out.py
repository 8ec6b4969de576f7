"""Models without one block of columns each, fitted from the model of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from scipy import linalg

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.runtime.clock import clock
from altsel.stats.independence.glm.bartlett import Extended, added, factor_of_added, factors
from altsel.stats.independence.glm.derivatives import ridged
from altsel.stats.independence.glm.newton import Fitted, fit
from altsel.stats.independence.glm.secants import Secants

COLLINEAR = 1e4
"""Models are fitted one by one where the others leave less than one part of this of any column's length,"""
STEPS = 50
"""or where so many steps by the information of the whole model do not do, as where classes are separated;"""
WORSE = 10.0
"""or where a step promises so many times what one before it did;"""
ENOUGH = 1e-9
"""they end with the one that promises so little."""
CELLS = 1 << 22
"""Linear predictors that are held at once;"""
AT_ONCE = 1 << 16
"""those of the rows of which a gradient is made at once: about what a core's own memory takes."""


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Models of a design's columns without each of some blocks, fitted from the model of all of them.

    All begin at the coefficients that are best by the whole model's information ``I`` where those of the
    block vanish, ``b - I^-1 C' (C I^-1 C')^-1 C b``, and take quasi-Newton steps from the same information,
    which costs as much for all as one Newton step of each model's own. What these do not fit is fitted by
    itself.

    Attributes
    ----------
    model
        The model of all columns, which are of full rank.
    blocks
        Which columns are left out together; not the first one, the intercept.
    """

    model: Fitted
    blocks: Sequence[IntArray]

    def part(self, j: int) -> Fitted:
        """Return the model without block j."""
        model = self.model
        design = np.delete(model.design, self.blocks[j], axis=1)
        eta, value = self._eta[:, :, j], float(self.log_likelihoods[j])
        return Fitted(model.family, model.response, design, eta, value, model.counts)

    def added(self, j: int) -> FloatArray:
        """Return what block j adds to the others: orthogonal columns of variance 1, shape (rows, columns)."""
        return np.asarray(self._basis @ self._directions[j] * np.sqrt((self._roots**2).sum()))

    def factors(self, some: Sequence[int]) -> list[float]:
        """Return Bartlett's factors of ratios to the models without some of the blocks."""
        size, model = np.sqrt((self._roots**2).sum()), self.model
        models = (self._extended(j, size) for j in some)
        return factors(model.family, model.response, self._roots**2, self._basis * size, models)

    def _extended(self, j: int, size: float) -> Extended:
        """Return the model without block j and the block's columns, by a basis of so long columns."""
        others = np.delete(self._triangle, self.blocks[j], axis=1) / size
        columns = np.hstack([np.delete(self.model.design, self.blocks[j], axis=1), self.added(j)])
        coordinates = np.hstack([others, self._directions[j]])
        return Extended(self._eta[:, :, j], columns, coordinates, others.shape[1])

    @property
    def log_likelihoods(self) -> FloatArray:
        """Of the model without each block."""
        return self._reached[0]

    @property
    def _eta(self) -> FloatArray:
        return self._reached[1]

    @cached_property
    def _roots(self) -> FloatArray:
        counts = self.model.counts
        return np.ones(len(self.model.design)) if counts is None else np.sqrt(counts)

    @cached_property
    def _triangle(self) -> FloatArray:
        return np.asarray(np.linalg.qr(self.model.design * self._roots[:, None], mode="r"))

    @cached_property
    def _inverse(self) -> FloatArray:
        return np.asarray(linalg.solve_triangular(self._triangle, np.eye(len(self._triangle))))

    @cached_property
    def _basis(self) -> FloatArray:
        """Columns of the design that are orthonormal, rows weighted."""
        return np.asarray(self.model.design @ self._inverse)

    @cached_property
    def _directions(self) -> list[FloatArray]:
        """Coefficients of the basis in which each block differs from the others."""
        return [linalg.orth(self._inverse[block].T) for block in self.blocks]

    @cached_property
    def _spread(self) -> FloatArray:
        """Inverse of the information of the coefficients of the basis, predictor by predictor."""
        model, basis = self.model, self._basis
        free = Fitted(
            model.family, model.response, basis[:, :0], model.eta, model.log_likelihood, model.counts
        )
        information = free.information(basis[:, None, :])[0]
        return np.asarray(np.linalg.inv(ridged(information)))

    @cached_property
    def _reached(self) -> tuple[FloatArray, FloatArray]:
        """Log-likelihoods, and linear predictors of shape (predictors, rows, blocks)."""
        model, count = self.model, len(self.blocks)
        eta = np.full((*model.eta.shape, count), np.nan)
        done = np.zeros(count, dtype=bool)
        lengths = np.linalg.norm(self._triangle, axis=0) * np.linalg.norm(self._inverse, axis=1)
        if lengths.max() < COLLINEAR:
            width = max(1, CELLS // model.eta.size)
            for some in (np.arange(first, min(first + width, count)) for first in range(0, count, width)):
                with np.errstate(over="ignore", invalid="ignore"):  # of steps that lead away
                    eta[:, :, some], done[some] = self._together(some)
        values = np.empty(count)
        values[done] = model.family.log_likelihood(model.response, eta[:, :, done], model.counts)
        for j in np.flatnonzero(~done).tolist():
            others = np.delete(model.design, self.blocks[j], axis=1)
            own = fit(model.family, model.response, others, model.counts, eta[:, :, j])
            eta[:, :, j], values[j] = own.eta, own.log_likelihood
        return values, eta

    def _together(self, some: IntArray) -> tuple[FloatArray, BoolArray]:
        """Fit the models without some blocks; return their linear predictors, and which are fitted."""
        model, outputs, spread = self.model, np.eye(len(self.model.response)), self._spread
        weighted = self._basis * self._roots[:, None] ** 2
        lines = [np.kron(outputs, self._directions[j]) for j in some.tolist()]
        pulls = [spread @ line @ np.linalg.inv(line.T @ spread @ line) for line in lines]
        coefficients = (weighted.T @ model.eta.T).T.ravel()
        change = np.column_stack(
            [-pull @ (line.T @ coefficients) for line, pull in zip(lines, pulls, strict=True)]
        )
        held = _side_by_side(lines), _side_by_side(pulls)
        moved = change.copy()
        done, least = np.zeros(len(some), dtype=bool), np.full(len(some), np.inf)
        left, steps = np.arange(len(some)), Secants()
        for _ in range(STEPS):
            if not len(left):
                break
            clock().check()
            gradient = self._gradient(moved[:, left], weighted)
            guess = partial(self._by_whole, held[0][left], held[1][left])
            promised = (gradient * guess(gradient)).sum(axis=0)
            step = steps.step(gradient, guess)
            moved[:, left] += step
            done[left[promised <= ENOUGH]] = True
            going = (promised > ENOUGH) & (promised < WORSE * least[left])
            least[left] = np.minimum(promised, least[left])
            left, steps = left[going], steps.of(going)
        moved[:, ~done] = change[:, ~done]
        return model.eta[:, :, None] + self._predicted(moved), done

    def _by_whole(self, lines: FloatArray, pulls: FloatArray, slope: FloatArray) -> FloatArray:
        """Return steps by the whole model's information, less what gives the block left out an effect."""
        step = np.asarray(self._spread @ slope)
        effect = (step.T[:, None] @ lines)[:, 0]
        return np.asarray(step - (pulls @ effect[:, :, None])[:, :, 0].T)

    def _gradient(self, change: FloatArray, weighted: FloatArray) -> FloatArray:
        """Gradient where coefficients of the basis are changed, some rows after another; like the change."""
        model, found = self.model, np.zeros_like(change)
        step = max(1, AT_ONCE * len(self._basis.T) // change.size)
        for rows in (slice(start, start + step) for start in range(0, len(self._basis), step)):
            eta = model.eta[:, rows, None] + self._predicted(change, rows)
            mean = model.family.mean(eta)
            errors = (model.family.errors(model.response[:, rows], mean, a) for a in range(len(mean)))
            found += np.vstack([weighted[rows].T @ each for each in errors])
        return found

    def _predicted(self, change: FloatArray, rows: slice = slice(None)) -> FloatArray:
        """Change of the linear predictors by one of coefficients; shape (predictors, rows, models)."""
        basis = self._basis[rows]
        return np.stack([basis @ part for part in np.split(change, len(self.model.response))])


@dataclass(frozen=True, eq=False)
class OneByOne:
    """The same where blocks determine each other: models fitted one by one, and what blocks add to them."""

    parts: Sequence[Fitted]
    blocks: Sequence[FloatArray]

    @property
    def log_likelihoods(self) -> FloatArray:
        """Of the model without each block."""
        return np.array([part.log_likelihood for part in self.parts])

    def part(self, j: int) -> Fitted:
        """Return the model without block j."""
        return self.parts[j]

    def added(self, j: int) -> FloatArray:
        """Return what block j adds to the others: orthogonal columns of variance 1, shape (rows, columns)."""
        return added(self.parts[j], self.blocks[j])

    def factors(self, some: Sequence[int]) -> list[float]:
        """Return Bartlett's factors of ratios to the models without some of the blocks."""
        return [factor_of_added(self.part(j), self.added(j)) for j in some]


def _side_by_side(matrices: list[FloatArray]) -> FloatArray:
    """Stack matrices of as many rows, those with fewer columns filled up with zeros."""
    found = np.zeros((len(matrices), len(matrices[0]), max(each.shape[1] for each in matrices)))
    for own, each in zip(found, matrices, strict=True):
        own[:, : each.shape[1]] = each
    return found
