"""Discoveries: features with a bound on the share of false ones, by knockoffs and e-values."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.analysis.repeated_search import stored
from altsel.data.dataset import Dataset, checked_dataset
from altsel.errors import ArgumentError, DataError, checked_integer
from altsel.errors import level as checked_level
from altsel.parallel import Numbered, run
from altsel.results.discoveries import Discoveries, TestedFeature, least_selected
from altsel.stats.dependence.measure import Measure
from altsel.stats.e_values import e_bh, knockoff_e_values, q_values
from altsel.stats.knockoffs import Draw, chosen_knockoffs, chosen_statistic, differences

OWN = 0x6B6E6F63
"""Part of the seeds: data made by ``default_rng(0)`` have the numbers of ``default_rng([0, 0])``, so that
knockoffs drawn by it would be made of the features."""


def discoveries(  # noqa: PLR0913  (what is promised, by what, and how it is computed)
    data: Dataset,
    level: float = 0.1,
    statistic: Any = None,
    knockoffs: Any = None,
    draws: int = 50,
    *,
    run_level: float | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    store: str | Path | None = None,
) -> Discoveries:
    r"""Select features of which in the mean at most a share `level` is false (false discovery rate).

    A feature is *false* if it is independent of the target given all other features. Knockoffs are drawn
    M times without a look at the target: exchanged with their features they change no distribution. In each
    draw :math:`W_j` is how much more relevant a feature is than its knockoff, T the threshold of the knockoff
    filter at `run_level`, and

    .. math:: e_j = p \, \frac{1\{W_j \ge T\}}{1 + \#\{k : W_k \le -T\}}.

    The mean of the :math:`e_j` over the draws hardly depends on the seed; selected are the k features of the
    largest, k the largest number with :math:`e_{(k)} \ge p / (k \, level)` (e-BH): none, or at least
    ``1 / level``. With any number of rows the false discovery rate is at most `level`, for any relation to
    the target and any statistic, *if knockoffs have the true distribution of the features*; here it is
    estimated from the same rows.

    Parameters
    ----------
    data
        The rows. Of copies each is false, as the other tells the same: group them, ``data.grouped(0.99)``.
    level
        Wanted false discovery rate, above 0 and below 1.
    statistic
        A measure of dependence, a function of two arrays, or a scikit-learn estimator with coefficients or
        importances; it is given features and knockoffs in one table. Default:
        `altsel.knockoffs.LassoCoefficients`. A measure of single features does without the others: it
        finds what tells something alone, and W of correlated ones is weak.
    knockoffs
        ``"gaussian"`` or ``"sequential"``, an object of `altsel.knockoffs`, or a function
        ``(X, rng) -> X_knockoff`` of the features as a DataFrame and a generator. Default: Gaussian of
        numbers, sequential if there are categories or columns of two values.
    draws
        Number M of knockoffs drawn.
    run_level
        Level of the filter of each draw; default: ``level / 2``, as Ren and Barber do. With ``level`` itself
        nearly all draws must select the same features.
    random_state
        Seed.
    n_jobs
        Workers; default: those of ``joblib.parallel_config``, else 1.
    store
        A SQLite file; what it holds of the same call is not done again.

    Returns
    -------
    Discoveries
        The features with e- and q-values; ``claim(sets)`` says what holds of sets of them.

    Raises
    ------
    ArgumentError
        If an argument is of another kind, or there are fewer features than must be selected.
    DataError
        If knockoffs cannot be drawn of such features, or a relevance is not finite.

    References
    ----------
    Ren and Barber, J. R. Stat. Soc. B 86 (2024); Wang and Ramdas, J. R. Stat. Soc. B 84 (2022);
    Candès, Fan, Janson and Lv, J. R. Stat. Soc. B 80 (2018).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(300, 40))
    >>> found = discoveries(Dataset(x, x[:, :20].sum(axis=1) + rng.normal(size=300)), 0.2, draws=10)
    >>> found
    <Discoveries: 22 of 40 features at level 0.2, 10 draws>
    """
    checked_dataset("discoveries", data)
    checked_level("level", level)
    of_run = level / 2 if run_level is None else run_level
    checked_level("run_level", of_run)
    checked_integer("draws", draws, 1)
    checked_integer("random_state", random_state, 0)
    _refuse_few(data, level)
    measure, sampler = chosen_statistic(statistic, random_state), chosen_knockoffs(knockoffs, data)
    kept = stored(store, "discoveries", statistic, knockoffs, data, random_state)
    task = _Draw(data, sampler.fitted(data), measure, random_state)
    found = np.array([*run(task, Numbered(draws), kept, n_jobs, "draw").values()])
    e_values = np.array([knockoff_e_values(one, of_run) for one in found])
    tested = _tested(data, found, e_values, level)
    names = measure.name, sampler.name
    return Discoveries(tested, level, of_run, draws, *names, data.target, data.fingerprint, data.members)


def _refuse_few(data: Dataset, level: float) -> None:
    least, number = least_selected(level), len(data.features)
    if number < least:
        raise ArgumentError(
            f"at level={level:g} no feature is selected, or at least {least}, but the data have {number}: "
            f"use level={ceil(100 / number) / 100:g} or more; of few features altsel.shadow tells more"
        )


def _tested(
    data: Dataset, statistics: FloatArray, e_values: FloatArray, level: float
) -> tuple[TestedFeature, ...]:
    e_value = e_values.mean(axis=0)
    columns = (
        statistics.mean(axis=0),
        (e_values > 0).mean(axis=0),
        e_value,
        q_values(e_value),
        e_bh(e_value, level),
    )
    rows = zip(data.features, *(one.tolist() for one in columns), strict=True)
    return tuple(TestedFeature(*row) for row in rows)


@dataclass(frozen=True)
class _Draw:
    """The statistics of one draw of knockoffs."""

    data: Dataset
    draw: Draw
    measure: Measure
    random_state: int

    def __call__(self, number: int) -> list[float]:
        rng = np.random.default_rng([self.random_state, number, OWN])
        drawn = self.draw(rng)
        if drawn.shape != self.data.X.shape:
            raise DataError(f"knockoffs have shape {drawn.shape}; the features have {self.data.X.shape}")
        found: list[float] = differences(self.data, drawn, self.measure, rng).tolist()
        return found
