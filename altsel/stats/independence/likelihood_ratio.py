"""Test of independence by the likelihood ratio of nested generalised linear models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log
from typing import cast

import numpy as np
import pandas as pd

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.dataset import Dataset
from altsel.errors import checked_integer, flags, level, no_negative
from altsel.stats.independence.base import BoundTest, Variables
from altsel.stats.independence.cache import Cached, Memory
from altsel.stats.independence.glm.bartlett import MOST, bartlett_factor
from altsel.stats.independence.glm.design import MANY, Design
from altsel.stats.independence.glm.families import (
    Categorical,
    Gaussian,
    Poisson,
    ProportionalOdds,
    WithOutcomes,
    summed,
)
from altsel.stats.independence.glm.fitting import (
    AnyFamily,
    checked_family,
    fit_model,
    fitted_with_levels,
    usual_family,
)
from altsel.stats.independence.glm.grouped import Grouped, Model, extended_by_levels, score_of_levels
from altsel.stats.independence.glm.grouped_bartlett import factor_given_levels
from altsel.stats.independence.glm.left_out import LeftOut, OneByOne
from altsel.stats.independence.glm.level_moments import corrected
from altsel.stats.independence.glm.levels import Levels
from altsel.stats.independence.glm.negative_binomial import NegativeBinomial
from altsel.stats.independence.glm.newton import Fitted
from altsel.stats.independence.left_out_ratios import RatiosLeftOut
from altsel.stats.independence.protocol import TestResults, one_by_one
from altsel.stats.independence.remembered_fits import RememberedFits
from altsel.stats.independence.rows import WIDEST_OF_REGRESSIONS, Given, refuse_groups, rows_of
from altsel.stats.log_p import log_chi_square, log_variance_ratio

DETERMINED = 1e-10
"""A target of which the given features leave no more than this share of variance is determined by them."""
CELLS = 1 << 18
"""Numbers in the arrays of the models that are fitted at once."""
SCORED = 1 << 20
"""Numbers in the columns of the candidates that are scored at once."""
CURVED = (Categorical, Poisson, NegativeBinomial)
"""Families of which a ratio is bounded from below by its score."""
LONG = 2000
"""Rows times predictors from which a bound is sooner done than a fit."""
ROUNDING = 1e-9
"""Differences of log p that are none."""
MODELS = 8
"""Models of conditioning sets that are remembered."""
SETS = 256
"""Conditioning sets whose statistics are remembered."""


class LikelihoodRatio(BoundTest):
    r"""Test whether adding a feature to a generalised linear model of the target improves it.

    ``LR = 2 (l(T | S, X) - l(T | S))``, asymptotically chi-square with as many degrees of freedom
    as X adds coefficients: one for a number, its values less one for a category, times the classes
    less one of a categorical target. Features of any kind may be given. A target of classes takes
    logistic or multinomial regression, an ordinal one proportional odds, a declared count Poisson or negative
    binomial regression, a number linear regression, whose p is exact (F test).
    An ordinal candidate is tested for a trend: it adds its scores, one coefficient; an ordinal feature
    that is given has indicators. The effect is ``LR / 2n``, in nats. The coefficients of a category of more
    than 24 levels are eliminated level by level (of several that are given, those of the one with most
    levels): a thousand levels take no longer than ten, and give the same ratio.

    On few rows a ratio is larger than chi-square, the more so the more coefficients there are and the rarer a
    class is. It is therefore divided by its mean under independence in degrees of freedom (Bartlett's
    correction, Lawley 1956; `statistic` is the corrected one). Rejected at .05 and .01 of candidates that are
    independent given S, of 2,000 each:

    ============================================ ============ ============
    rows, given, candidate; target                uncorrected  corrected
    ============================================ ============ ============
    50, 3, 4 levels; two classes, one of 10 %      .108, .042   .051, .013
    50, 3, a number; two classes, one of 10 %      .091, .034   .067, .018
    50, 3, 4 levels; two classes                   .091, .025   .065, .015
    50, 1, 4 levels; three classes                 .096, .025   .064, .014
    50, 0, 4 levels; two classes, one of 10 %      .040, .004   .020, .002
    100, 3, 3 levels; four classes                 .087, .019   .058, .014
    200, 3, 4 levels; two classes                  .057, .013   .051, .011
    ============================================ ============ ============

    The ratio of a candidate of many levels is given chi-square's mean, and of two classes and counts its
    variance, from the rows that each level has.

    What is left: where classes have a handful of rows, p is too large, with several such classes and levels
    much too large (.003 at .05 in 200 rows). The given features act additively in the model; where they
    do not, features that depend on them too are rejected the more often the more rows there are
    (``benchmarks/results/level.md``: *discrete*, where every combination of the given has shares of its
    own, and *nonlinear, classes*).

    Where a search wants the best candidate only, `best_first` ranks all by score tests and computes the
    ratio of the first few, and of more until the best one is a ratio: every decision is by ratio. Where a
    search wants decisions, `decided` computes ratios only near alpha: a score and its information bound
    a ratio from below, so that what is plainly dependent needs no fit.

    Parameters
    ----------
    data
        Features and target of any kind.
    family
        Model of the target: `Categorical`, `ProportionalOdds`, `Gaussian`, `Poisson` or `NegativeBinomial`;
        None: by its kind.
    screen
        How many ratios `best_first` computes at a time.
    samples_per_parameter
        A test is done only with at least so many rows for each coefficient; linear regression
        needs one more row than coefficients.
    bartlett
        Whether ratios are corrected for few rows. Linear regression needs no correction; there is none for
        proportional odds and negative binomial regression.
    weights
        Frequency weights: how often each row counts; the name of a column, which then is no feature, or an
        array of shape (rows,). Integers are the same as repeated rows; n is their sum, also of fractions,
        so that these must be scaled to the number of rows observed. They may sum to 1e15 at most, and the
        largest be 1e6 times the smallest above 0 (1e12 in tests of tables and correlations).
    groups
        Not taken: with rows that belong together use `RobustScore`.

    Raises
    ------
    DataError
        If the family or the weights do not fit the data.
    ArgumentError
        If a number is out of its range.

    References
    ----------
    Borboudakis and Tsamardinos (2021), section 2; Rao, Linear Statistical Inference and its Applications, 6e.

    Examples
    --------
    >>> import altsel
    >>> columns = {"a": [0.1, 0.4, 0.2, 0.9, 0.8, 0.7] * 9, "b": ["u", "u", "u", "v", "v", "w"] * 9}
    >>> data = altsel.Dataset(columns, [0, 0, 1, 1, 1, 0] * 9)
    >>> answers = LikelihoodRatio(data)(["a", "b"])
    >>> answers.dof.tolist(), answers.p.round(4).tolist()
    ([1.0, 2.0], [0.0045, 0.0])
    """

    def __init__(
        self,
        data: Dataset,
        *,
        family: AnyFamily | None = None,
        screen: int = 5,
        samples_per_parameter: float = 5,
        bartlett: bool = True,
        weights: Given = None,
        groups: Given = None,
    ) -> None:
        refuse_groups("likelihood-ratio test", groups, "use RobustScore(data, groups)")
        checked_family(family)
        rows = rows_of(data, weights, widest=WIDEST_OF_REGRESSIONS)
        data, self.counts, self.rows = rows.data, rows.counts, rows.total
        checked_integer("screen", screen, 1)
        no_negative("samples_per_parameter", samples_per_parameter)
        self.data, self.family = data, family
        flags(bartlett=bartlett)
        self.screen, self.samples_per_parameter, self.bartlett = screen, samples_per_parameter, bartlett
        self._variables = Variables.of(data)
        self._table = pd.concat([data.X, data.y.rename(data.target)], axis=1)
        self._kinds = [*data.kinds.values(), data.target_kind]
        self._families: dict[str, AnyFamily] = {} if family is None else {data.target: family}
        self._design = Design.of(self._table, self._kinds, self.counts, many=MANY)
        self._models, self._sets = Memory[Model](MODELS), Memory[Cached](SETS)
        self._fits = RememberedFits(self._design)
        self._targets = Memory[tuple[AnyFamily, FloatArray]](MODELS)
        self._left = Memory[RatiosLeftOut](1)  # a search asks for the least dependent one, then for all
        self._family()

    @property
    def name(self) -> str:
        """The test in words."""
        return f"likelihood-ratio test ({self._family()[0].name} regression)"

    @property
    def family_of_target(self) -> AnyFamily:
        """The family of the target, chosen or by its kind."""
        return self._family()[0]

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Test what each candidate adds to a model of the target by the given features."""
        return self._answers(candidates, given, None)

    def best_first(
        self,
        candidates: Sequence[str],
        given: Sequence[str] = (),
        order: Callable[[TestResults], IntArray] = TestResults.order,
    ) -> TestResults:
        """Test candidates by score, and by ratio until the first in the order is tested so.

        Parameters
        ----------
        candidates, given
            As when the test is called.
        order
            Ranks answers, for example ``TestResults.order_by_association``.

        Returns
        -------
        Answers
            The statistics of the leading candidates are ratios, those of the others scores, which
            approach ratios as the rows become many, but can be much too small on separable data.
        """
        return self._answers(candidates, given, order)

    def decided(
        self,
        candidates: Sequence[str],
        given: Sequence[str],
        alpha: float,
        weakest: FloatArray | None = None,
    ) -> tuple[TestResults, BoolArray]:
        """Test candidates, by ratio unless p is certainly at most alpha.

        Of models of classes and counts a ratio is bounded from below by its score, and sharply by the first
        step of its fit; a corrected ratio is not less than that over the largest factor.

        Parameters
        ----------
        candidates, given
            As when the test is called.
        alpha
            Level of the test.
        weakest
            Logarithm of p for each candidate, above which the sharp bound is wanted; None: nowhere.

        Returns
        -------
        tuple
            The answers, and which are in full; p of the others is at most what is given.
        """
        level("alpha", alpha)
        # the factor aside, log p falls about as the ratio rises
        sharp = (
            np.full(len(candidates), log(alpha))
            if weakest is None
            else np.minimum(MOST * weakest, log(alpha))
        )
        answers = self._answers(candidates, given, None, (log(alpha), sharp))
        indices, known = self._variables.indices(candidates, given)
        cached = self._cached(known)
        full = ~np.isnan(cached.ratio[indices]) | (cached.left_over is not None)
        return answers, np.asarray(full | ~answers.tested | (answers.dof == 0))

    def forget(self) -> None:
        """Drop what is remembered of conditioning sets."""
        self._models.forget()
        self._fits.forget()
        self._left.forget()
        self._sets.forget()

    def _answers(
        self,
        candidates: Sequence[str],
        given: Sequence[str],
        order: Callable[[TestResults], IntArray] | None,
        levels: tuple[float, FloatArray] | None = None,
    ) -> TestResults:
        """Test candidates, by ratio until the first is so, or those whose log p may be above a level.

        The second levels are those above which bounds are sharp. Of a linear model all ratios follow from
        scores.
        """
        indices, known = self._variables.indices(candidates, given)
        cached = self._cached(known)
        outputs, rows, widths = cached.outputs, self.rows, self._design.widths[indices]
        parameters = (cached.columns + widths) * outputs
        linear = cached.left_over is not None
        tested = rows > parameters if linear else rows >= self.samples_per_parameter * parameters
        self._score(cached, known, indices[tested], None if levels is None else levels[1][tested])
        statistic = np.where(tested, cached.score[indices], 0.0)
        rank = np.where(tested, cached.rank[indices], widths)
        dof = rank * outputs
        if cached.left_over is not None:
            determined = cached.left_over <= DETERMINED * rows
            rest = (
                np.ones(len(indices)) if determined else np.clip(1 - statistic / cached.left_over, 0.0, 1.0)
            )
            statistic = -rows * np.log(np.maximum(rest, np.finfo(float).tiny))
            log_p = log_variance_ratio(rest, rank, np.maximum(rows - cached.columns - rank, 1))
            log_p = np.where(tested, log_p, 0.0)
            return TestResults(tuple(candidates), log_p, statistic, dof, statistic / (2 * rows), tested)
        # where all add as many columns, only the first in the order is corrected
        lazily = order is not None and len(set(dof[tested].tolist())) == 1
        while True:
            ratio = cached.ratio[indices]
            left = tested & (dof > 0) & np.isnan(ratio)
            if levels is not None:
                statistic = cached.least[indices]
                left &= log_chi_square(statistic, dof) >= levels[0] - ROUNDING
            elif order is not None:
                statistic = np.where(np.isnan(cached.plain[indices]), statistic, cached.plain[indices])
            statistic = np.where(np.isnan(ratio), statistic, ratio)
            log_p = np.where(tested, log_chi_square(statistic, dof), 0.0)
            answers = TestResults(tuple(candidates), log_p, statistic, dof, statistic / (2 * rows), tested)
            some = indices[left] if order is None else self._leading(cached, indices, left, order(answers))
            if not len(some):
                return answers
            new = some[np.isnan(cached.plain[some])]
            self._add_ratios(cached, self._model(known), new)
            if not (lazily and len(new)):
                self._correct(cached, self._model(known), some)

    def _leading(self, cached: Cached, indices: IntArray, left: BoolArray, ranked: IntArray) -> IntArray:
        """Name the candidates whose ratios are next, none where that of the first in an order is corrected.

        A first one that is fitted already is next by itself: if it is above the others' plain ratios when it
        is corrected, it is above theirs when they are.
        """
        some = indices[ranked[left[ranked]]]
        if not len(some) or not left[ranked[0]]:
            return some[:0]
        fitted = ~np.isnan(cached.plain[some])
        return some[:1] if fitted[0] else some[~fitted][: self.screen]

    def leave_one_out(self, features: Sequence[str]) -> TestResults:
        """Test each feature given the others: one model of all, and one without each."""
        left = self._left_out(features)
        return one_by_one(self, features) if left is None else left.corrected(range(len(features)))

    def least_dependent(self, features: Sequence[str]) -> TestResults:
        """Test, of features given the others, those that may have the largest p.

        A ratio that is corrected is not less than the plain one over the largest factor, so that features
        whose p is smaller even then need no factor.
        """
        left = self._left_out(features)
        if left is None:
            return one_by_one(self, features)
        return left.corrected(left.least_dependent() if self.bartlett else range(len(features)))

    def _left_out(self, features: Sequence[str]) -> RatiosLeftOut | None:
        """Fit the models without each feature; None if that takes a test of each by itself."""
        family, response = self._family()
        indices, _ = self._variables.indices(features, ())
        nested = (self._design.widths == self._design.given_widths)[indices].all()
        many = any(index in self._design.levels for index in indices.tolist())
        if not isinstance(family, (Categorical, Poisson)) or not nested or many or len(features) < 2:
            return None
        key = (self.target, *features)
        return self._left(key, lambda: self._fitted_left_out(features, indices, len(response)))

    def _fitted_left_out(self, features: Sequence[str], indices: IntArray, outputs: int) -> RatiosLeftOut:
        widths = self._design.widths[indices]
        full, order = cast(Fitted, self._model(indices.tolist())), np.argsort(indices)
        models: LeftOut | OneByOne
        if full.columns == 1 + widths.sum():
            blocks = np.split(np.arange(1, full.columns), np.cumsum(widths[order])[:-1])
            models = LeftOut(full, [blocks[place] for place in np.argsort(order)])
        else:
            parts = [self._fitted([j for j in indices.tolist() if j != index]) for index in indices.tolist()]
            columns = [self._design.matrix[:, self._design.columns([index])] for index in indices.tolist()]
            models = OneByOne(cast(list[Fitted], parts), columns)
        needed = self.samples_per_parameter * outputs
        return RatiosLeftOut(tuple(features), full, models, widths, self.rows, needed, self.bartlett)

    def _cached(self, known: list[int]) -> Cached:
        """Return what was computed for a conditioning set."""
        return self._sets((self.target, *sorted(known)), lambda: self._nothing_scored(known))

    def _score(self, cached: Cached, known: list[int], indices: IntArray, levels: FloatArray | None) -> None:
        """Compute scores that a conditioning set misses, and the number of columns each candidate adds."""
        missing = np.isnan(cached.score[indices])
        if not missing.any():
            return
        model, indices = self._model(known), indices[missing]
        bounded = isinstance(model.family, CURVED) and model.response.size >= LONG
        cached.least[indices] = 0.0
        few, wide = self._few_and_wide(indices)
        for place, one in wide:
            cached.score[indices[place]], cached.rank[indices[place]] = score_of_levels(model, one)
        for some in self.parts(indices[few], SCORED):
            part = indices[few[some]]
            blocks = self._design.blocks(part)
            cached.rank[part] = model.added_rank(blocks)
            if levels is not None and bounded and isinstance(model, Fitted):
                score = self._bound(cached, model, part, blocks, levels[missing][few[some]])
            else:
                score = model.score(blocks)
            cached.score[part] = np.where(cached.rank[part] > 0, score, 0.0)

    def _bound(
        self, cached: Cached, model: Fitted, indices: IntArray, blocks: FloatArray, levels: FloatArray
    ) -> FloatArray:
        """Find what ratios are at least, sharply where log p may be above its level; return the scores."""
        dof = cached.rank[indices] * len(model.response)
        most = MOST if self.bartlett and isinstance(model.family, WithOutcomes) else 1.0
        score, gain, step = model.scored(blocks)
        above = (dof > 0) & (log_chi_square(2 * gain / most, dof) >= levels - ROUNDING)
        for j in np.flatnonzero(above).tolist():
            gain[j] = max(gain[j], float(model.gain(blocks[:, [j]], step[[j]])[0]))
        cached.least[indices] = np.where(dof > 0, 2 * gain / most, 0.0)
        return score

    def _nothing_scored(self, known: list[int]) -> Cached:
        model = self._model(known)
        linear = isinstance(model.family, Gaussian)
        left_over = float(summed((model.response - model.eta) ** 2, self.counts)) if linear else None
        arrays = (np.full(len(self._design.widths), np.nan) for _ in range(5))
        return Cached(model.columns, len(model.response), left_over, *arrays)

    def _family(self) -> tuple[AnyFamily, FloatArray]:
        """Choose the target's family, and give its responses; both are made once for the last targets."""
        return self._targets(self.target, self._family_of_target)

    def _family_of_target(self) -> tuple[AnyFamily, FloatArray]:
        target = self._table[self.target]
        if self.target not in self._families:
            kind = self._kinds[self._variables.index[self.target]]
            self._families[self.target] = usual_family(target, kind, self.counts)
        family = self._families[self.target]
        return family, family.response(target)

    def _model(self, known: list[int]) -> Model:
        """Fit the target by the given features; the order in which they are given does not matter."""
        return self._models((self.target, *sorted(known)), lambda: self._fitted(known))

    def _fitted(self, known: list[int]) -> Model:
        """Fit the model; of the given categories that of most levels is eliminated level by level."""
        family, response = self._family()
        levels = self._design.levels
        many = [j for j in known if j in levels]
        if not many or isinstance(family, ProportionalOdds):
            if isinstance(family, (Categorical, Poisson)):
                return self._fits.model(self.target, sorted(known), family, response)
            return fit_model(family, response, self._design.given(sorted(known)), self.counts)
        most = max(many, key=lambda j: levels[j].number)
        further = self._design.further([j for j in sorted(known) if j != most])
        return fitted_with_levels(family, response, levels[most], further, self.counts)

    def _add_ratios(self, cached: Cached, model: Model, indices: IntArray) -> None:
        """Compute likelihood ratios of candidates, and correct those of many levels."""
        few, wide = self._few_and_wide(indices)
        for place, levels in wide:
            reached, added = extended_by_levels(model, levels)
            gain = max(2 * (reached - model.log_likelihood), 0.0)
            cached.plain[indices[place]] = gain
            cached.ratio[indices[place]] = corrected(gain, model, levels, added) if self.bartlett else gain
        for some in self.parts(indices[few], CELLS // len(model.response)):
            part = indices[few[some]]
            blocks = self._design.blocks(part)
            cached.plain[part] = np.maximum(2 * (model.extended(blocks) - model.log_likelihood), 0.0)

    def _correct(self, cached: Cached, model: Model, indices: IntArray) -> None:
        """Divide likelihood ratios that are not corrected yet by Bartlett's factors."""
        for index in indices[np.isnan(cached.ratio[indices])].tolist():
            block = self._design.blocks(np.array([index]))[:, 0]
            cached.ratio[index] = cached.plain[index] / (self._factor(model, block) if self.bartlett else 1.0)

    def _few_and_wide(self, indices: IntArray) -> tuple[IntArray, list[tuple[int, Levels]]]:
        """Return the places of candidates whose columns are tested, and of those tested level by level."""
        wide = np.isin(indices, list(self._design.levels))
        levels = [
            (place, self._design.levels[int(indices[place])]) for place in np.flatnonzero(wide).tolist()
        ]
        return np.flatnonzero(~wide), levels

    def _factor(self, model: Model, block: FloatArray) -> float:
        """Bartlett's factor of a block."""
        if isinstance(model, Grouped):
            return factor_given_levels(model, block)
        return bartlett_factor(model, block)

    def parts(self, indices: IntArray, cells: int) -> Iterator[IntArray]:
        """Divide variables into parts that are equally wide and have no more than so many numbers."""
        widths = self._design.widths[indices]
        for width in np.unique(widths):
            same = np.flatnonzero(widths == width)
            step = max(1, int(cells // (len(self._design.matrix) * width)))
            for first in range(0, len(same), step):
                yield same[first : first + step]
