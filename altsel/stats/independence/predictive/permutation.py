"""Test of conditional independence by what a fitted model loses when a feature is replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np

from altsel._types import FloatArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.stats.independence.base import BoundTest, Variables
from altsel.stats.independence.predictive.fitting import Fits, Job, Models
from altsel.stats.independence.predictive.knockoffs import Knockoff, chosen_knockoff
from altsel.stats.independence.predictive.losses import Function
from altsel.stats.independence.predictive.parts import Division
from altsel.stats.independence.predictive.printed import Scheme, chosen_division, warn_of_printed
from altsel.stats.independence.predictive.setting import Setting
from altsel.stats.independence.predictive.table import Table
from altsel.stats.independence.predictive.trial import Trial
from altsel.stats.independence.protocol import TestResults
from altsel.stats.independence.rows import Given, rows_of
from altsel.stats.sign_flips import SignFlips

TIE = 1e-12


class PredictivePermutation(BoundTest):
    r"""Test whether a model of the target by ``{X} ∪ S`` loses more where X is replaced by other values.

    In each of B parts a model f is fitted to the other rows, and for the part's rows
    ``d_i = mean over draws x* of L(y_i, f(x*_i, s_i)) - L(y_i, f(x_i, s_i))``. Features on which the
    prediction depends have d > 0. The statistic is ``mean(d)`` in units of its standard error (0 if that is
    negative), the effect is ``mean(d)``.

    The parts are disjoint folds, so that each row has one d; p by flipping signs of d,
    ``(1 + #{sums >= observed}) / (permutations + 1)``. x* is drawn given S, which makes it a test of
    *conditional* independence. As printed, B random divisions share rows, so that p by the signed ranks of
    their mean losses is too small, and x* are the values of X in another order, which tests whether *f relies
    on X*, as it may where S would have served. That test is here until 2.0 for comparison only
    (``scheme="random"``, ``knockoff="shuffle"``, with a FutureWarning).

    The effect is in units of the loss (nats a row for log-loss, of probabilities not below 1e-15), so it
    compares features of one estimator only. Where a model does worse with a feature than without, the
    statistic is 0 and p large. Another seed draws other divisions: p near the level move.

    It sees what the model sees: a linear model misses XOR; unpruned trees, whose probabilities are 0 and 1,
    so that any loss of theirs counts errors, find less than linear models where those fit. Two parents of a
    common child depend on each other given the child only, so that no search that looks at features one by
    one finds such spouses, `ppfs` among them; `iamb` and others condition on the child. Measured rates are
    in ``benchmarks/results/predictive.md``.

    Parameters
    ----------
    data
        Features and target of any kind.
    estimator
        ``"tree"`` (default, as printed): an unpruned decision tree; ``"linear"``: least squares or logistic
        regression (Poisson with that loss), the better start where relations are monotone; any scikit-learn
        estimator or pipeline, which gets a DataFrame of *some* columns, so that its steps must choose columns
        by kind (``make_column_selector``), not by name; or a pair (classifier, regressor) for searches that
        make features the target. Missing values are for the `Dataset` to refuse or drop.
    scheme, splits, test_size
        How rows are divided (``"folds"``), into how many parts; share of rows that a random division tests.
    knockoff
        ``"conditional"``, or a `Conditional` with estimators of one's own.
    shuffles
        Draws of x* for every row; default 5, in random divisions 1.
    loss
        ``"log-loss"`` or ``"zero-one"`` of classes; ``"squared-error"``, ``"absolute-error"`` or
        ``"poisson-deviance"`` of numbers; ``"discordance"`` of times; or ``loss(truth, predictions)``, one
        loss a row, where classes have numbers from 0 and predictions of shape (rows, classes). Default: the
        first of its kind.
    event
        Whether the event was seen, where the target is the time to one, censored or not: the name of a column
        of 0 and 1, which then is no feature, or an array of shape (rows,). The estimator is fitted to an
        array with the fields ``event`` and ``time``, and predicts risks.
    stratify
        Whether each part gets its share of each class, or of the events.
    permutations
        Flips of signs.
    random_state
        Seed of everything random, also of estimators that have none. All tests share divisions and draws.
    n_jobs
        Workers; -1: one for each core; default: those of ``joblib.parallel_config``, else 1. The answers do
        not depend on it. Starting processes takes a second or two: it pays for estimators that take long
        to fit.

    Raises
    ------
    ArgumentError
        If an argument is out of its range, the estimator lacks a method that the loss needs, or (when it is
        called) cannot be fitted or gives no finite loss.
    DataError
        If a class has fewer than two rows in a test part, or counts are negative.

    References
    ----------
    Hassan, Paik, Khare and Hassan, PPFS: Predictive Permutation Feature Selection (2021), definitions 1 to 4;
    Watson and Wright, Machine Learning 110 (2021).

    Examples
    --------
    >>> import numpy as np, altsel
    >>> x, other, noise = np.random.default_rng(0).normal(size=(3, 200))
    >>> data = altsel.Dataset({"x": x, "copy": x + 0.5 * noise, "other": other}, x + other)
    >>> test = PredictivePermutation(data, "linear")
    >>> test(["copy", "other"], ["x"]).p.round(3).tolist()
    [0.518, 0.001]
    """

    def __init__(  # noqa: PLR0913
        self,
        data: Dataset,
        estimator: Any = "tree",
        *,
        scheme: Scheme | str = Scheme.FOLDS,
        splits: int = 10,
        test_size: float | None = None,
        knockoff: Knockoff | str = "conditional",
        shuffles: int | None = None,
        loss: str | Function | None = None,
        event: Given = None,
        stratify: bool = True,
        permutations: int = 999,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        checked_dataset("a test", data)
        warn_of_printed(scheme, knockoff)
        self._signs = SignFlips(permutations, random_state)
        self._division: Division = chosen_division(
            scheme, splits, test_size, shuffles, stratify, random_state
        )
        self._knockoff = chosen_knockoff(knockoff, random_state)
        rows = rows_of(data, event=event)
        self.data = data = rows.data
        self._variables = Variables.of(data)
        self._setting = Setting(data, Table.of(data), estimator, loss, rows.seen)
        self._trials: dict[str, Trial | None] = {}
        self._fits = Fits(n_jobs)
        own = self._trial()  # refuses what is wrong at once
        self._learner = own.learner.name if own else ""

    @property
    def seed(self) -> int:
        """Seed of everything random."""
        return self._division.seed

    @property
    def smallest_p(self) -> float:
        """The smallest p there can be."""
        return self._division.smallest_p(self._signs)

    @property
    def name(self) -> str:
        """The test in words."""
        how = f"{self._learner}, {self._division.name}, {self._knockoff.name} draws"
        return f"predictive permutation test ({how})"

    def with_target(self, target: str) -> Self:
        """Return the same test for another variable; the task is that of its kind."""
        self._setting.refuse_target(target)
        return super().with_target(target)

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Fit models of the target by each candidate and the given features, and replace the candidate."""
        indices, known = self._variables.indices(candidates, given)
        return self._answers(candidates, [Job(self._sorted([*known, j]), (j,)) for j in indices.tolist()])

    def leave_one_out(self, features: Sequence[str]) -> TestResults:
        """Test each feature given the others: by the same models, fitted once."""
        indices = self._variables.indices(features, ())[0].tolist()
        return self._answers(features, [Job(self._sorted(indices), tuple(indices))] if indices else [])

    def backward(self, features: Sequence[str], given: Sequence[str], alpha: float) -> Iterator[TestResults]:
        """Test each feature given those that are left; one that is independent leaves at once.

        After a feature has left, only models that made use of it are fitted again: a tree that is not split
        by a feature is also one of the others. Where several splits are equally good, such a tree may have
        chosen another one than a new tree would, and p differ from that of a test by itself.
        """
        left = list(features)
        models: Models = {}
        for name in features:
            rest = [*(other for other in left if other != name), *given]
            (index,), known = self._variables.indices([name], rest)
            job = Job(self._sorted([*known, int(index)]), (int(index),))
            answer = self._answers([name], [job], models)
            yield answer
            if answer.independent(alpha)[0]:
                left.remove(name)
                models = {b: model for b, model in models.items() if not model.uses(job.replaced[0])}

    def forget(self) -> None:
        """Drop the models that are remembered."""
        self._fits.forget()

    def _sorted(self, indices: Sequence[int]) -> tuple[int, ...]:
        """Sort by name, so that nothing depends on the order of columns."""
        return tuple(sorted(indices, key=self._variables.names.__getitem__))

    def _trial(self) -> Trial | None:
        if self.target not in self._trials:
            index = self._variables.index[self.target]
            self._trials[self.target] = self._setting.trial(index, self._division, self._knockoff)
        return self._trials[self.target]

    def _answers(
        self, candidates: Sequence[str], jobs: Sequence[Job], known: Models | None = None
    ) -> TestResults:
        trial, number = self._trial(), len(candidates)
        if trial is None or not number:
            zeros = np.zeros(number)
            return TestResults(tuple(candidates), zeros, zeros, np.ones(number), zeros, zeros.astype(bool))
        measured = self._fits.increases(trial, jobs, known)
        increases = self._division.increases(trial.parts, list(measured))
        return TestResults(
            tuple(candidates),
            np.array(self._division.log_p(increases, self._signs)),
            _in_standard_errors(increases),
            np.ones(number),
            increases.mean(axis=1),
            np.ones(number, dtype=bool),
        )


def _in_standard_errors(increases: FloatArray) -> FloatArray:
    """Divide the mean of each row by its standard error; 0 where it is negative."""
    largest = np.abs(increases).max(axis=1, keepdims=True)
    scaled = increases / np.where(largest > 0, largest, 1.0)
    error = scaled.std(axis=1, ddof=1) / np.sqrt(increases.shape[1])
    return np.asarray(np.maximum(scaled.mean(axis=1) / np.maximum(error, TIE), 0.0))
