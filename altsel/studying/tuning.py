"""What is chosen by the losses out of fold: the configuration, and how different alternatives should be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.results.estimate import Estimate
from altsel.results.study import Tried, TriedTau
from altsel.runtime.on_demand import OnDemand
from altsel.stats.bias_corrected import BiasCorrected, bias_corrected, percentile_estimate
from altsel.stats.row_losses import LOSSES
from altsel.studying.grid import Configuration
from altsel.studying.plan import Plan
from altsel.studying.within_folds import Split, pooled

stats: Any = OnDemand("scipy.stats")  # half a second of start-up


@dataclass(frozen=True, eq=False)
class Tuned:
    """Losses of all configurations out of fold, and the choice among them.

    Attributes
    ----------
    plan
        The plan.
    configurations
        What was tried.
    losses
        By name of the loss; shapes (rows, configurations).
    sizes
        Features selected in the mean; shape (configurations,).
    """

    plan: Plan
    configurations: Sequence[Configuration]
    losses: Mapping[str, FloatArray]
    sizes: FloatArray

    @classmethod
    def of(
        cls,
        plan: Plan,
        tried: Sequence[Configuration],
        folds: Sequence[Split],
        parts: Sequence[Mapping[str, Any]],
        rows: int,
    ) -> Tuned:
        """Pool what the folds have."""
        named = {
            name: pooled(folds, [part["losses"][name] for part in parts], rows) for name in parts[0]["losses"]
        }
        return cls(plan, tried, named, np.mean([part["sizes"] for part in parts], axis=0))

    @property
    def chosen_by(self) -> FloatArray:
        """The losses that choices are made by."""
        return self.losses[self.plan.loss_name]

    @property
    def means(self) -> FloatArray:
        """Mean loss of each configuration, rounded as resamples are, so that ties go to the simplest."""
        return np.asarray(np.round(self.chosen_by.mean(axis=0), 12))

    @property
    def searching(self) -> list[int]:
        """Indices of the configurations that select features."""
        return [i for i, one in enumerate(self.configurations) if one.selection.searches]

    @property
    def best(self) -> int:
        """Index of the configuration with the least loss."""
        return int(np.argmin(self.means))

    @property
    def shown(self) -> int:
        """Index of the best configuration that selects features."""
        return min(self.searching, key=lambda i: (self.means[i], i))

    def corrected(self, among: Sequence[int] | None = None) -> BiasCorrected:
        """Correct the loss of the best, of all or among some."""
        table = self.chosen_by if among is None else self.chosen_by[:, among]
        return bias_corrected(table, self.plan.bootstrap, self.plan.seed)

    def summary(self) -> dict[str, Any]:
        """Return what `Study` says of the choice, by the names there."""
        whole, confidence = self.corrected(), self.plan.confidence
        without = whole.of_one(self.chosen_by[:, 0])
        shares = whole.share_chosen(len(self.configurations))
        return {
            "tried": tuple(
                Tried(one.name, float(size), float(loss), float(share))
                for one, size, loss, share in zip(
                    self.configurations, self.sizes, self.chosen_by.mean(axis=0), shares, strict=True
                )
            ),
            "best": self.best,
            "shown": self.shown,
            "corrected": whole.estimate(confidence),
            "corrected_shown": self.corrected(self.searching).estimate(confidence),
            "gain": percentile_estimate(np.round(without - whole.values, 12), confidence),  # 0 where alike
            "beside": {
                LOSSES[name]: percentile_estimate(whole.of(table), confidence)
                for name, table in self.losses.items()
                if name != self.plan.loss_name
            },
        }


def choose_tau(
    plan: Plan, first: FloatArray, folds: Sequence[Split], parts: Sequence[Any]
) -> tuple[TriedTau, ...]:
    """Return what each tau costs out of fold: loss of the alternatives less that of the first set.

    Parameters
    ----------
    plan
        The plan.
    first
        Loss of each row by the first set; shape (rows,).
    folds, parts
        Rows of the folds, and what `DifferentInFold` returned of each.
    """
    tried = []
    for number, tau in enumerate(plan.tau):
        of_folds = [part[number] for part in parts]
        if any(one is None for one in of_folds):
            tried.append(TriedTau(tau, None, None))
            continue
        added = pooled(folds, of_folds, len(first)) - first
        tried.append(TriedTau(tau, float(added.mean()), float(added.std(ddof=1) / np.sqrt(len(added)))))
    return tuple(tried)


def largest_tau(tried: Sequence[TriedTau]) -> tuple[float, bool]:
    """Return the largest tau that costs at most a standard error and True, else the smallest and False.

    References
    ----------
    Breiman, Friedman, Olshen and Stone, Classification and Regression Trees (1984), section 3.4.3: the rule.

    Examples
    --------
    >>> largest_tau([TriedTau(0.2, 0.1, 0.2), TriedTau(0.5, 0.1, 0.2), TriedTau(0.8, 0.5, 0.2)])
    (0.5, True)
    """
    near = [one.tau for one in tried if one.near]
    return (max(near), True) if near else (min(one.tau for one in tried), False)


def mean_estimate(losses: FloatArray, confidence: float) -> Estimate:
    """Return the mean loss of rows that were kept apart, with its t interval.

    Examples
    --------
    >>> print(mean_estimate(np.array([0.0, 1.0, 0.0, 1.0]), 0.95))
    0.5 ± 0.92
    """
    mean, rows = float(losses.mean()), len(losses)
    if rows < 2:
        return Estimate(mean)
    half = float(stats.t.ppf((1 + confidence) / 2, rows - 1) * losses.std(ddof=1) / np.sqrt(rows))
    return Estimate(mean, mean - half, mean + half)
