"""The rows and columns of a regularised model, and what each set of its features is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.stats.generalised.compiled import STEEP
from altsel.stats.generalised.family import Family, Losses, settle_constants

BATCH = 200_000
"""Numbers of the columns of sets that are held at once: about what a cache holds."""


@dataclass(frozen=True, eq=False)
class RegularisedModel:
    """Columns of features, with a family and a ridge.

    The loss of a set is ``min_b,c L(X_S b, c) + ridge/2 |b|^2``.

    Attributes
    ----------
    features
        Names.
    columns
        Of mean 0 and variance 1, one a row, shape (P + 1, m); the last one is 0, and fills sets up that have
        fewer columns than others.
    owner
        Index of the feature of each column but the last, in order; -1 of those that are in every model.
    family
        The loss.
    ridge
        Above 0.
    """

    features: tuple[str, ...]
    columns: FloatArray
    owner: IntArray
    family: Family
    ridge: float

    @cached_property
    def always(self) -> IntArray:
        """Indices of the columns that are in every model."""
        return np.flatnonzero(self.owner < 0)

    @cached_property
    def own(self) -> IntArray:
        """Indices of the columns of each feature, filled up by that of 0; shape (features, most)."""
        widths = self.widths
        table = np.full((len(self.features), int(widths.max(initial=1))), len(self.owner))
        for feature in range(len(self.features)):
            table[feature, : widths[feature]] = np.flatnonzero(self.owner == feature)
        return table

    @cached_property
    def widths(self) -> IntArray:
        """How many columns each feature has."""
        return np.bincount(self.owner[self.owner >= 0], minlength=len(self.features))

    @cached_property
    def single(self) -> bool:
        """Whether each feature has one column."""
        return bool((self.widths == 1).all())

    def columns_of(self, members: IntArray) -> IntArray:
        """Return the columns of sets of features, those always included first; shape (sets, columns)."""
        members = np.atleast_2d(members)
        own = self.own[members].reshape(len(members), members.shape[1] * self.own.shape[1])
        return np.hstack([np.broadcast_to(self.always, (len(members), len(self.always))), own])

    @cached_property
    def nothing(self) -> tuple[FloatArray, Losses]:
        """The best constants without any column, shape (1, T), and the losses there."""
        rows = self.columns.shape[1]
        start = self.family.start[None]
        return settle_constants(self.family, np.zeros((1, self.family.channels, rows)), start, 100)

    @cached_property
    def null(self) -> float:
        """The loss of constants alone."""
        return float(self.nothing[1].loss[0])

    @cached_property
    def reach(self) -> float:
        """A bound on how far the best constants of any set are from the family's start.

        A model without coefficients has the loss `null`, so the best ones have ``|b|^2 <= 2 null / ridge``.
        """
        longest = float(np.sqrt((self.columns * self.columns).sum(axis=0).max()))
        return self.family.reach(longest * float(np.sqrt(2.0 * max(self.null, 0.0) / self.ridge)), self.null)

    def unsettled(self, losses: Losses) -> FloatArray:
        """Return what constants that are not quite best may take off a tangent, shape (B,)."""
        far = np.abs(losses.constants - self.family.start).max(axis=1, initial=0.0)
        return np.asarray((self.reach + far) * np.abs(losses.constant_slope).sum(axis=1))

    def split(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the constants of parameters, shape (T,), and the coefficients, shape (K, s)."""
        width = len(self.family.start)
        return parameters[:width], parameters[width:].reshape(self.family.channels, -1)

    def sums(self, each: FloatArray) -> FloatArray:
        """Add up numbers of columns by feature, shape (..., P + 1) to (..., features)."""
        if self.single:
            return np.asarray(each[..., self.own[:, 0]])
        filled = np.concatenate([each[..., :-1], np.zeros((*each.shape[:-1], 1))], axis=-1)
        return np.asarray(filled[..., self.own].sum(axis=-1))

    def prices(self, slope: FloatArray) -> FloatArray:
        """Return ``|x_j'g|^2 / (2 ridge)`` of each column, for slopes of shape (K, m); shape (P + 1,)."""
        along = slope @ self.columns.T
        return np.asarray((along * along).sum(axis=0) / (2.0 * self.ridge))

    def bounding_row(self, linear: FloatArray, constants: FloatArray) -> tuple[float, FloatArray]:
        """Return constant and prices of ``loss(S) >= constant - sum of the prices of S``.

        Parameters
        ----------
        linear
            Any predictors, shape (K, m); the closer to those of the best model, the better.
        constants
            To begin with, shape (T,).
        """
        constant, slope = self.tangent(linear[None], constants[None])
        price = self.prices(slope[0])
        return float(constant[0]) - float(price[self.always].sum()), self.sums(price)

    def tangent(
        self, linear: FloatArray, constants: FloatArray, rounds: int = 30
    ) -> tuple[FloatArray, FloatArray]:
        """Return ``L(u) - <g, u>``, and slopes g that add up to 0 over the constants, where it is a bound.

        Of plain families slopes g of any constant will do: with v the second derivatives,
        ``g - v sum(g) / sum(v)`` adds up to 0 and takes at most ``sum(g)^2 / sum(v)`` off, as a divergence of
        distributions is at most their chi-square.

        Parameters
        ----------
        linear
            Shape (B, K, m).
        constants
            To begin with, shape (B, T).
        rounds
            Steps of the constants, at most.
        """
        constants, losses = settle_constants(self.family, linear, constants, rounds)
        if self.family.plain:
            (second,) = losses.kept
            total = losses.constant_slope[:, 0]
            with np.errstate(divide="ignore", invalid="ignore"):
                share = total / second.sum(axis=1)
            if (np.abs(share) <= STEEP).all():
                slope = losses.slope - (share[:, None] * second)[:, None]
                along = np.einsum("bkm,bkm->b", slope, linear)
                return np.asarray(losses.loss - along - total * share), slope
        _, losses = settle_constants(self.family, linear, constants, losses=losses)
        return self.tangents(losses, linear), losses.slope

    def tangents(self, losses: Losses, linear: FloatArray) -> FloatArray:
        """Return ``L(u) - <g, u>``, less what constants that are not quite best may take off; shape (B,)."""
        along = np.einsum("bkm,bkm->b", losses.slope, linear)
        return np.asarray(losses.loss - along - self.unsettled(losses))
