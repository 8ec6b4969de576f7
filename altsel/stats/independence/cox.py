"""Test of independence of a time to an event, by Cox regression."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError
from altsel.runtime.clock import clock
from altsel.stats.generalised.cox import Cox
from altsel.stats.generalised.family import newton_step
from altsel.stats.generalised.targets import CHECKED
from altsel.stats.independence.base import BoundTest, Variables
from altsel.stats.independence.glm.design import Design
from altsel.stats.independence.glm.newton import added_rank, orthonormal
from altsel.stats.independence.protocol import TestResults
from altsel.stats.independence.rows import Given, refuse_groups, rows_of
from altsel.stats.log_p import log_chi_square

STEPS, HALVINGS = 50, 12
"""Newton's steps of a fit at most, and how often each is halved until the loss falls."""
ENOUGH = 1e-9
"""What a step promises of the log-likelihood, below which a fit is at its maximum."""
NUMBERS = 1_000_000
"""Numbers in the columns of models that are fitted at once."""


class CoxRatio(BoundTest):
    """Test whether a feature adds to a proportional-hazards model of the time to an event.

    ``LR = 2 (l(T | S, X) - l(T | S))`` of partial likelihoods, asymptotically chi-square with as many
    degrees of freedom as the candidate has columns that S does not determine; ties by Breslow.

    Parameters
    ----------
    data
        Features of any kind; the target is the time, censored or not.
    event
        Whether the event was seen; else the row is censored at that time. The name of a column of 0 and 1,
        which then is no feature, or an array of shape (rows,); None: it was seen in all rows.
    weights
        Frequency weights, as of `LikelihoodRatio`.
    groups
        Not taken: with rows that belong together use `CoxScore`.

    Raises
    ------
    ArgumentError
        If groups are given, or there is no such column.
    DataError
        If the target holds no times of at least 0, event or weights do not fit the data, or no event was
        seen.

    References
    ----------
    Borboudakis and Tsamardinos (2021), section 2; Cox, Journal of the Royal Statistical Society B 34 (1972);
    Breslow, Biometrics 30 (1974).

    Examples
    --------
    >>> import altsel
    >>> random = np.random.default_rng(0)
    >>> dose = random.normal(size=100)
    >>> columns = {"dose": dose, "noise": random.normal(size=100), "died": random.integers(2, size=100)}
    >>> data = altsel.Dataset(columns, random.exponential(np.exp(-dose)))
    >>> (CoxRatio(data, event="died")(["dose", "noise"]).p < 0.01).tolist()
    [True, False]
    """

    name = "likelihood-ratio test (Cox regression)"

    def __init__(
        self, data: Dataset, event: Given = None, *, weights: Given = None, groups: Given = None
    ) -> None:
        refuse_groups("Cox regression", groups, "use CoxScore(data, event, groups=...)")
        rows = rows_of(data, weights, event=event)
        self.data, self.counts = rows.data, rows.counts
        self._variables = Variables.of(self.data)
        times, all_rows = CHECKED["cox"](self.data), np.ones(len(self.data.y))
        seen = all_rows > 0 if rows.seen is None else rows.seen
        weight = all_rows if rows.counts is None else rows.counts
        self._family = Cox(times, seen, weight, np.zeros(len(times)))
        self._design = Design.of(self.data.X, list(self.data.kinds.values()), rows.counts)
        self._total = rows.total
        self._known = lru_cache(1000)(self._model)

    def with_target(self, target: str) -> CoxRatio:
        """Refuse: only the time can be the target, so searches around neighbours are not possible."""
        if target == self.target:
            return self
        raise ArgumentError(
            f"Cox regression has the time as its target, not {target!r}; "
            "use a search around one target: forward_backward, iamb, mmpc, hiton_pc, stmb"
        )

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Fit the model with each candidate, those of as many columns at once, and the one without."""
        indices, known = self._variables.indices(candidates, given)
        columns, coefficients, base = self._known(tuple(sorted(known)))
        basis = orthonormal(np.hstack([np.ones((len(columns.T), 1)), columns.T]), self.counts)
        statistic, dof = np.zeros(len(indices)), np.zeros(len(indices))
        for part in self._parts(indices, len(columns)):
            blocks = self._design.blocks(indices[part])
            dof[part] = added_rank(basis, blocks, self.counts)
            own = np.moveaxis(blocks, 0, 2)  # models, columns, rows
            shared = np.broadcast_to(columns, (len(own), *columns.shape))
            begin = np.hstack([np.tile(coefficients, (len(own), 1)), np.zeros(own.shape[:2])])
            loss = climb(self._family, np.concatenate([shared, own], axis=1), begin)[1]
            statistic[part] = np.where(dof[part] > 0, np.maximum(2 * (base - loss), 0.0), 0.0)
        log_p = log_chi_square(statistic, dof)
        tested = np.ones(len(indices), dtype=bool)
        return TestResults(tuple(candidates), log_p, statistic, dof, statistic / (2 * self._total), tested)

    def forget(self) -> None:
        """Drop what is remembered of conditioning sets."""
        self._known.cache_clear()

    def _model(self, known: tuple[int, ...]) -> tuple[FloatArray, FloatArray, float]:
        """Fit the model of the given features; return its columns, coefficients and loss."""
        columns = np.ascontiguousarray(self._design.given(known)[:, 1:].T)
        fitted, loss = climb(self._family, columns[None], np.zeros((1, len(columns))))
        return columns, fitted[0], float(loss[0])

    def _parts(self, indices: IntArray, shared: int) -> list[IntArray]:
        """Divide candidates into parts of as many columns each, whose models are fitted at once."""
        widths, rows = self._design.widths[indices], len(self._design.matrix)
        parts: list[IntArray] = []
        for width in np.unique(widths).tolist():
            same = np.flatnonzero(widths == width)
            step = max(1, NUMBERS // (rows * (shared + width)))
            parts += [same[first : first + step] for first in range(0, len(same), step)]
        return parts


def climb(family: Cox, columns: FloatArray, begin: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Fit models by Newton's steps, each halved until the loss falls.

    Parameters
    ----------
    family
        Times and events.
    columns
        Of each model, shape (models, columns, rows).
    begin
        Coefficients, shape (models, columns).

    Returns
    -------
    tuple
        Coefficients, and the losses, shape (models,).
    """
    none = np.zeros((len(columns), 0))

    def at(b: FloatArray) -> FloatArray:
        return np.asarray(np.einsum("bs,bsm->bm", b, columns)[:, None])

    b, losses = begin, family.evaluate(at(begin), none)
    for _ in range(STEPS if columns.shape[1] else 0):
        clock().check()
        slope = np.einsum("bsm,bm->bs", columns, losses.slope[:, 0])
        step = newton_step(family.curvature(losses, columns), slope)
        if ((step * slope).sum(axis=1) <= ENOUGH).all():
            break
        size, before = np.ones(len(b)), losses
        for trial in range(HALVINGS):
            tried = b - size[:, None] * step
            losses = family.evaluate(at(tried), none)
            worse = ~(losses.loss <= before.loss)
            if not worse.any():
                break
            size = np.where(worse, size / 2 if trial < HALVINGS - 2 else 0.0, size)
        b = tried
    return b, np.asarray(losses.loss)
