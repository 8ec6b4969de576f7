"""Lawley's expansion of a ratio's mean: cumulants of scores, summed over rows for several models at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from altsel._types import FloatArray
from altsel.runtime.clock import clock
from altsel.stats.independence.glm.families import Outcomes, WithOutcomes
from altsel.stats.independence.glm.pairs import pairs, places, row_squares, squares_by

MATRICES = 1 << 21
"""Numbers in the matrices of coefficients that are held at once."""
SHARE = 16
"""Numbers a row that are held for each sum of cumulants."""


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of one model's coefficients, at the expected responses of a smaller model.

    Attributes
    ----------
    mean
        Expected responses, shape (predictors, rows).
    basis
        Coefficients, one a row, whose information is the identity, column by column: those of the smaller
        model first.
    known
        How many these are.
    """

    mean: FloatArray
    basis: FloatArray
    known: int

    def moves(self, some: slice = slice(None)) -> FloatArray:
        """Return new coefficients; shape (coefficients, predictors, columns)."""
        new = self.basis[self.known :][some]
        return new.reshape(len(new), -1, len(self.mean)).transpose(0, 2, 1)


@dataclass(frozen=True, eq=False)
class Cumulants:
    """Cumulants of scores, of models whose columns span the same.

    Attributes
    ----------
    family
        Of the responses.
    columns
        Shape (rows, columns); there is a coefficient for each column and predictor.
    counts
        How often each row counts.
    """

    family: WithOutcomes
    columns: FloatArray
    counts: FloatArray

    def excess(self, models: Sequence[Scores]) -> FloatArray:
        """By what ratios of each model to its smaller one exceed their degrees of freedom, in the mean.

        The difference of ``sum_rst k_rst^2 / 6 + sum_r (sum_s k_rss)^2 / 4 - sum_rs k_rrss / 4``.
        """
        return self._third(models) / 6 + self._traces(models) / 4

    def _third(self, models: Sequence[Scores]) -> FloatArray:
        """``sum_rst k_rst^2`` over all r, s, t that are not all known.

        Given a new t they are weights of the products of two columns, by each pair of predictors.
        """
        total, outputs, width = np.zeros(len(models)), len(models[0].mean), self.columns.shape[1]
        number = len(pairs(outputs)[0])
        some = max(1, MATRICES // (outputs * width) ** 2)
        for batch in _batches([len(model.basis) - model.known for model in models], some):
            moves = [models[j].moves(part) for j, part in batch]

            def weights(
                rows: slice, batch: list[tuple[int, slice]] = batch, moves: list[FloatArray] = moves
            ) -> FloatArray:
                clock().check()
                columns = self.columns[rows].T * self.counts[rows]
                each = [
                    self.family.third(models[j].mean[:, rows], own @ columns)
                    for (j, _), own in zip(batch, moves, strict=True)
                ]
                return np.concatenate(each).reshape(-1, columns.shape[1])

            every = sum(map(len, moves)) * number
            sums = squares_by(self.columns, every, weights, SHARE * every)
            ends = np.cumsum([len(each) * number for each in moves])[:-1]
            for (j, _), own in zip(batch, np.split(sums, ends), strict=True):
                total[j] += _not_all_known(by_coefficient(own, outputs), models[j])
        return total

    def _traces(self, models: Sequence[Scores]) -> FloatArray:
        """``sum_r (sum_s k_rss)^2 - sum_rs k_rrss``, less that of the known ones.

        Both follow from what the coefficients spread of each row's predictors: all of them, and the new ones.
        """
        outputs, width = len(models[0].mean), self.columns.shape[1]
        linear, fourth = np.zeros((len(models), 2, width, outputs)), np.zeros(len(models))
        spreads = np.concatenate([_by_pair(model.basis.T @ model.basis, outputs) for model in models])
        for rows, squares in row_squares(self.columns, spreads, SHARE * len(spreads)):
            clock().check()
            columns, counts = self.columns[rows], self.counts[rows]
            for j, (model, own) in enumerate(
                zip(models, squares.reshape(len(models), -1, len(counts)), strict=True)
            ):
                outcomes = self.family.outcomes(model.mean[:, rows])
                moved = np.einsum("kan,tan->tkn", outcomes.deviations, model.moves() @ columns.T)
                new = np.einsum("tkn,tjn->kjn", moved, moved)
                spread = np.einsum("abn,jbn->jan", own[places(outputs)], outcomes.deviations)
                both = np.einsum("kan,jan->kjn", outcomes.deviations, spread)
                for i, products in enumerate((both, new)):
                    lengths = weighted_lengths(products, outcomes) * counts
                    linear[j, i] += columns.T @ np.einsum("kan,kn->na", outcomes.deviations, lengths)
                fourth[j] += counts @ fourth_cumulants(2 * both - new, new, outcomes)
        return np.array([_of_sums(*each) for each in zip(models, linear, fourth, strict=True)])


def _not_all_known(matrices: FloatArray, model: Scores) -> float:
    """Sum the squares over r and s of matrices for each new t, as often as so many of the three are new."""
    known, total = model.known, 0.0
    for matrix in matrices:
        squares = (model.basis @ matrix @ model.basis.T) ** 2
        one, two, three = squares[:known, :known], squares[:known, known:], squares[known:, known:]
        total += float(3 * one.sum() + 3 * two.sum() + three.sum())
    return total


def _of_sums(model: Scores, linear: FloatArray, fourth: float) -> float:
    """Return the traces by third cumulants of all coefficients and of the new ones, and by fourth ones."""
    every, new = (model.basis @ each.ravel() for each in linear)
    known = (every - new)[: model.known]
    return float(every @ every - known @ known - fourth)


def weighted_lengths(products: FloatArray, outcomes: Outcomes) -> FloatArray:
    """Squared lengths of the scores of each outcome, times its weight; shape (outcomes, rows)."""
    return np.asarray(outcomes.weights * np.einsum("kkn->kn", products))


def fourth_cumulants(products: FloatArray, others: FloatArray, outcomes: Outcomes) -> FloatArray:
    """``sum_rs k_rrss`` of each row, r among some coefficients and s among others.

    Parameters
    ----------
    products, others
        Of the scores of two outcomes, summed over the coefficients, shape (outcomes, outcomes, rows).
    outcomes
        What responses can be.
    """
    lengths, weights = weighted_lengths(products, outcomes), outcomes.weights
    fourth = (lengths * np.einsum("kkn->kn", others)).sum(axis=0)
    if outcomes.probabilities:
        fourth -= lengths.sum(axis=0) * weighted_lengths(others, outcomes).sum(axis=0)
        fourth -= 2 * (weights * weights[:, None] * products * others).sum(axis=(0, 1))
    return np.asarray(fourth)


def _batches(sizes: Sequence[int], most: int) -> Iterator[list[tuple[int, slice]]]:
    """Divide lists of such sizes into batches of parts that have so many entries together."""
    batch: list[tuple[int, slice]] = []
    room = most
    for j, size in enumerate(sizes):
        start = 0
        while start < size:
            end = min(size, start + room)
            batch.append((j, slice(start, end)))
            room, start = room - (end - start), end
            if not room:
                yield batch
                batch, room = [], most
    if batch:
        yield batch


def by_coefficient(sums: FloatArray, outputs: int) -> FloatArray:
    """Arrange sums by pairs of predictors and two columns into matrices of coefficients, column by column."""
    size = sums.shape[-1] * outputs
    parts = sums.reshape(-1, outputs * (outputs + 1) // 2, *sums.shape[1:])[:, places(outputs)]
    return parts.transpose(0, 3, 1, 4, 2).reshape(-1, size, size)


def _by_pair(matrix: FloatArray, outputs: int) -> FloatArray:
    """Take a matrix of coefficients apart by pairs of predictors, shape (pairs, columns, columns)."""
    first, second = pairs(outputs)
    shape = (len(matrix) // outputs, outputs)
    return np.asarray(matrix.reshape(*shape, *shape)[:, first, :, second])
