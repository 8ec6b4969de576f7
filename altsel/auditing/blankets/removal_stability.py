"""The dual of a family of blankets under resampling: which removals leave no blanket on other rows, too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from altsel.analysis.resampling import Scheme
from altsel.analysis.stability import on_resamples
from altsel.auditing.blankets.problem import BlanketProblem
from altsel.data.dataset import Dataset, checked_dataset
from altsel.errors import ArgumentError, list_of_names, listing, of_kind
from altsel.results.members import known_names
from altsel.results.removal_stability import RemovalStability
from altsel.results.solutions import Solutions
from altsel.runtime.versions import versions_of
from altsel.search.blankets.all.collection import begun
from altsel.search.blankets.all.sufficiency import Sufficiency
from altsel.search.blankets.all.template import Template, one_blanket
from altsel.search.blankets.all.tie_star import learned_among
from altsel.search.blankets.limits import Limits, checked_limits
from altsel.stats.independence.base import members_of
from altsel.stats.independence.protocol import Independence
from altsel.stats.resampled_scores import exact_share

Names = tuple[str, ...]
ProblemOf = Callable[[Dataset], BlanketProblem | Independence]
CONFIDENCE = 0.95
"""Of the interval of a share."""


def removal_stability(  # noqa: PLR0913  (as `stability`)
    removals: Solutions | Iterable[Iterable[str]],
    problem_of: ProblemOf,
    data: Dataset,
    resamples: int = 200,
    scheme: Scheme | str = Scheme.SUBSAMPLE,
    random_state: int = 0,
    *,
    n_jobs: int | None = None,
    store: str | Path | None = None,
) -> RemovalStability:
    """Measure in what share of resamples no Markov blanket is left once some features are removed.

    ``share(E) = |{b: no blanket of the rows of b among the features outside E}| / B``. In each resample b a
    learner finds a reference among all features, and, if that has a feature of E, another set among those
    outside E; a blanket is left if this is equivalent to the reference. How often a search selects a feature
    falls by half if there is a copy of it, as either may be selected; how often the two *together* are needed
    does not. So the failed removals of a family can be stable where its blankets cannot.

    Parameters
    ----------
    removals
        What `tmfbs`, `tie_star`, `best` or `dual` found: its failed removals, then every single feature of
        these; or sets of names.
    problem_of
        What makes the problem of a resample, a function of a `Dataset`: its test, or an
        `altsel.auditing.BlanketProblem` with level, criterion of equivalence, learner, and features forced in
        or left out. Rules of the domain play no part: what is asked is whether the rest suffices.
    data
        The rows.
    resamples, scheme, random_state, n_jobs, store
        As in `altsel.stability`. Half of the rows find less than all do: a removal whose features tell little
        fails more rarely than it would in samples of the size of the data.

    Returns
    -------
    RemovalStability
        For each removal the share of resamples, with the exact interval of Clopper and Pearson. That is as
        wide as so few resamples leave it; it says nothing of rows not drawn.

    Raises
    ------
    ArgumentError
        If an argument is wrong, a removal is empty, names no feature or one that is forced in, or a test
        fails on a resample, which is named.
    DataError
        If resamples have one value of the target only.

    References
    ----------
    Borboudakis and Tsamardinos (2021), section 1: stability has to be defined in the context of multiple
    solutions; Meinshausen and Buehlmann, Journal of the Royal Statistical Society B 72 (2010).

    Examples
    --------
    >>> import numpy as np, altsel
    >>> a, b, noise = np.random.default_rng(0).normal(size=(3, 200))
    >>> data = altsel.Dataset({"a": a, "b": b, "a, by mail": 2 * a}, a + b + noise)
    >>> test_of = altsel.independence.PartialCorrelation
    >>> found = altsel.blankets.tmfbs(test_of(data))
    >>> removal_stability(found, test_of, data, resamples=20).to_frame()[["removed", "share"]]
               removed  share
    0             (b,)    1.0
    1  (a, a, by mail)    1.0
    2             (a,)    0.0
    3    (a, by mail,)    0.0
    """
    checked_dataset("removal_stability", data)
    if not callable(problem_of):
        raise ArgumentError(
            "problem_of must be a function of a Dataset that makes a BlanketProblem, or a test, of it: it is "
            "called with each resample"
        )
    asked = _checked(removals, data)
    search = FailingRemovals(asked, problem_of)
    whole, *found = on_resamples(search, data, resamples, scheme, random_state, n_jobs, store)
    counts = [sum(one in failing for failing in found) for one in asked]
    return RemovalStability(
        asked,
        tuple(one in whole for one in asked),
        tuple(exact_share(count, resamples, CONFIDENCE) for count in counts),
        resamples,
        Scheme(scheme).value,
        data.target,
        len(data.y),
        data.fingerprint,
        versions_of(),
    )


def _checked(removals: object, data: Dataset) -> tuple[Names, ...]:
    """Return the removals: as given, or the failed ones of a family and then each of their features."""
    if isinstance(removals, Solutions):
        if removals.dual is None:
            raise ArgumentError("what was found has no failed removals: give what tmfbs or tie_star returned")
        failed = [one.removed for one in removals.dual.failed]
        inside = {name for one in failed for name in one}
        single = [(name,) for name in removals.universe if name in inside]
        given = [*failed, *single]
    else:
        of_kind("removals", removals, Iterable, "what tmfbs found, or sets of names: [['a', 'its copy']]")
        given = [tuple(list_of_names("removals", one)) for one in removals]  # type: ignore[attr-defined]
    if not given or not all(given):
        raise ArgumentError("removals: there must be at least one, of at least one feature")
    unknown = sorted({name for one in given for name in one}.difference(data.features))
    if unknown:
        raise ArgumentError(f"removals: there is no feature {listing(unknown)}")
    once = {frozenset(one): tuple(name for name in data.features if name in one) for one in given}
    return tuple(once.values())


@dataclass(frozen=True)
class FailingRemovals:
    """Which of some removals leave no blanket in a table, as a search that is repeated on resamples.

    Parameters
    ----------
    removals
        The features that are removed together.
    problem_of
        What makes the problem of a table.
    """

    removals: tuple[Names, ...]
    problem_of: ProblemOf

    def __call__(self, data: Dataset) -> list[Names]:
        """Return the removals after which a search finds no blanket; of none to be found, none is missed."""
        made = self.problem_of(data)
        sufficiency = begun_anew(made if isinstance(made, BlanketProblem) else BlanketProblem(made))
        forced = sorted(
            {name for one in self.removals for name in one}.intersection(sufficiency.search.forced)
        )
        if forced:
            raise ArgumentError(f"removals: {listing(forced)} is forced in, so that it cannot be removed")
        sufficiency.without(frozenset())  # the reference
        return [one for one in self.removals if sufficiency.without(frozenset(one)) is None]


def begun_anew(problem: BlanketProblem) -> Sufficiency:
    """Begin the search of a problem without its rules, and without features that these rows lack."""
    limits, test = checked_limits(problem.limits), problem.test
    known = known_names(test.features, members_of(test))
    include, exclude = (
        [name for name in names if name in known] for names in (limits.include, limits.exclude)
    )
    anew = Limits(include, exclude, max_solutions=None)
    search, family = begun(test, problem.alpha, problem.equivalent, anew)
    learner = problem.learner
    if learner is None or isinstance(learner, Template):
        return Sufficiency(search, family, partial(one_blanket, search, learner or Template()))
    return Sufficiency(search, family, partial(learned_among, search, family, learner))
