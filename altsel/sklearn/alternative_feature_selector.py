"""The best feature set by a criterion and alternatives to it, as a scikit-learn selector."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any, Self

import numpy as np

import altsel
from altsel import catalogue
from altsel.errors import ArgumentError, DataError, DataWarning, checked_integer, listing
from altsel.exact.shared_structures import shared_structures
from altsel.runtime.caller import warn_caller
from altsel.search.alternatives.noise import PermutedTargets
from altsel.search.alternatives.sizes import Choice, size_of, sized, usual
from altsel.search.alternatives.thresholds import TAU, search_tau
from altsel.sklearn.checked_input import CheckedInput, checked_input
from altsel.sklearn.domain_parameters import DomainParameters, features_named
from altsel.sklearn.names import (
    criterion_of,
    diversity_of,
    measure_of,
    options_of,
    search_of,
    takes_data,
)
from altsel.sklearn.remembered import key_of, remembered, remembered_dependence
from altsel.sklearn.set_selector import SetSelector, completed

NO_PART_OF_THE_SEARCH = {"set_index", "memory"}
EXPLAINED = 10.0
"""Most seconds to find out why there is no set."""


class AlternativeFeatureSelector(SetSelector):
    """Select the best feature set by a criterion, or one of the alternatives to it.

    ``fit`` finds the set of largest quality Q and `alternatives` sets that differ from each other by at least
    `tau`, all with proofs; ``transform`` keeps the features of the set that ``set_index`` names, which can be
    changed after ``fit``.

    Parameters
    ----------
    criterion
        ``"univariate"``, ``"fcbf"``, ``"mrmr"``, ``"mrmr-k2"``, ``"cfs"``, ``"cfs-linearised"`` or
        ``"linear-fit"`` (``"linear-fit-adjusted"``, ``-aic``, ``-bic``, ``-cp`` for free sizes); for classes
        and counts ``"logistic-fit"``, ``"multinomial-fit"``, ``"ordinal-fit"``, ``"poisson-fit"`` (with
        ``-aic``, ``-bic``, ``-ebic``); or a function of a `Dependence` that returns an objective, such as
        ``altsel.CFS``; or one of a `Dataset`, such as ``altsel.ModelFit``.
    relevance
        The measure of dependence: ``"auto"``, that of the criterion; a name, such as
        ``"correlation-ratio"``; a measure of ``altsel.measures``, or a function of two arrays.
    k
        Number of features of a set, or smallest and largest. Where fewer features can be chosen, as some are
        constant in a fold, all of these are, with a warning. ``"auto"``: what the criterion tells, at most
        10; see `altsel.choose_size`.
    ridge
        Ridge of criteria that fit models: for columns of length 1, 0 if not given (`altsel.LinearFit`), or
        of variance 1, 1 if not given (`altsel.ModelFit`).
    given
        Columns in every model of such criteria, besides the k: by name, or by position. They are passed on
        with each set.
    alternatives
        Number of sets besides the best one. Where fewer differ enough there are fewer, with a warning.
    tau, distance
        How much sets differ, from 0 to 1, by ``"dice"`` or ``"jaccard"``; or a diversity in place of
        both, with a tau of its own, such as ``altsel.GroupDice(0.5, sensor_of)``. A tau of ``"auto"`` is the
        largest at which no alternative loses more than 5 % of the best quality, one after another
        (`altsel.choose_tau`), and .5 in other searches.
    search
        ``"sequential"``: one set after another; ``"sum"``, ``"min"``: all at once or none, with the largest
        sum or minimum of their qualities; ``"near-optimal"``: the best ones whose quality is within a loss;
        ``"most-different"``: the most different ones within it; or a function of problem, diversity and
        number of alternatives.
    within
        That loss, as a share of the best quality, or ``altsel.AbsoluteLoss(amount)``.
    require, forbid
        Features in every set, and in none; here and below by name, or by position.
    groups
        Groups of features, such as those of one device: at most one feature of each group is in a set. A
        mapping of names of groups to features, or a collection of groups.
    costs, budget
        Cost of features (one that is not named costs nothing), and most that a set may cost.
    rules
        Further rules of ``altsel.domain``, or of your own; columns of arrays are called x0, x1, ….
    set_index
        The set in force: 0 is the best one; or ``"union"`` or
        ``"intersection"`` of all, which may be empty.
    task
        ``"auto"``: two values, categories or at most 20 integers are classes, other numbers are not; or
        ``"classification"``, ``"regression"``.
    missing
        What is done with missing values: ``"error"``; ``"category"``: a level of their own, numbers cut into
        at most five bins beside it; ``"complete rows"``: each test, relevance and redundancy is of the rows
        that have what it needs; ``"impute"``: twenty imputed tables, pooled; or a function of table, target
        and arguments of `altsel.Dataset`, such as ``partial(altsel.imputation.impute, number=50)``. See
        `altsel.imputation` on what each assumes. Columns that ``transform`` keeps have gaps where they had.
    solver
        A solver, a profile's name, or None for what does best.
    memory
        A folder, or a ``joblib.Memory``: relevances, redundancies and searches are remembered there, each by
        data and options, so that a grid search over `k`, `tau` or `set_index` measures each fold once.

    Attributes
    ----------
    solutions_
        The sets with scores, bounds and proofs: `Solutions`.
    feature_sets_
        The same sets, with what is `given`, as arrays of column positions.
    n_sets_
        How many sets were found.
    n_features_in_, feature_names_in_
        As in scikit-learn; names only where columns have some.

    Raises
    ------
    ArgumentError, DataError, ConfigurationError, SolverError
        In ``fit``: an argument is wrong, the data cannot be used, or no set satisfies the rules; the first
        three are a ``ValueError``. In ``transform``: there is no set ``set_index``.

    Warns
    -----
    DataWarning
        If `k` is more than there are features, or there are fewer sets than requested. What is odd about the
        data alone, such as copies, is not repeated in each fold: ``Dataset(X, y)`` tells.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = AlternativeFeatureSelector("cfs", k=3, alternatives=1, tau=1, forbid=["hue"]).fit(X, y)
    >>> selector.get_feature_names_out().tolist()
    ['color_intensity', 'od280/od315_of_diluted_wines', 'proline']
    >>> selector.set_params(set_index=1).get_feature_names_out().tolist()
    ['alcohol', 'alcalinity_of_ash', 'flavanoids']
    """

    __metadata_request__fit = {"sample_weight": None}  # noqa: RUF012  (as scikit-learn wants it)

    def __init__(  # noqa: PLR0913
        self,
        criterion: Any = "mrmr",
        *,
        relevance: Any = "auto",
        k: Any = "auto",
        ridge: float | None = None,
        given: Any = (),
        alternatives: int = 0,
        tau: float | str = "auto",
        distance: Any = "dice",
        search: Any = "sequential",
        within: Any = None,
        require: Any = (),
        forbid: Any = (),
        groups: Any = None,
        costs: Any = None,
        budget: float | None = None,
        rules: Any = (),
        set_index: int | str = 0,
        task: str = "auto",
        missing: Any = "error",
        solver: Any = None,
        memory: Any = None,
    ) -> None:
        self.criterion = criterion
        self.relevance = relevance
        self.k = k
        self.ridge = ridge
        self.given = given
        self.alternatives = alternatives
        self.tau = tau
        self.distance = distance
        self.search = search
        self.within = within
        self.require = require
        self.forbid = forbid
        self.groups = groups
        self.costs = costs
        self.budget = budget
        self.rules = rules
        self.set_index = set_index
        self.task = task
        self.missing = missing
        self.solver = solver
        self.memory = memory

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Search for the sets.

        Parameters
        ----------
        X
            A frame of any library, an array, or a sparse array, of shape (rows, features); categories and
            text are taken as such.
        y
            The target, one value a row.
        **params
            ``sample_weight``, one number a row, for criteria that fit models. In a pipeline weights arrive by
            scikit-learn's metadata routing: ``set_fit_request(sample_weight=True)``.
        """
        requested = checked_integer("alternatives", self.alternatives, 0) + 1
        weights = params.pop("sample_weight", None)
        if params:
            raise ArgumentError(f"fit got {listing(params)}; it takes X, y and sample_weight")
        rows = checked_input(self, X, y, self.task, self.missing)
        always = [
            name for name in features_named("given", self.given, rows.names) if name in rows.data.features
        ]
        fit = catalogue.FitOptions(self.ridge, None if weights is None else np.asarray(weights), always)
        found = self._found(rows, fit)
        if not found:
            raise DataError(f"there is no feature set: {found.stop}")
        if len(found) < requested:
            warn_caller(
                f"{len(found)} of {requested} sets were found (stop: {found.stop}); a smaller tau, fewer "
                "rules or a larger loss (within) allow more",
                DataWarning,
            )
        return self._keep(found, rows.names, fit.given)

    def _found(self, rows: CheckedInput, fit: catalogue.FitOptions) -> altsel.Solutions:
        """Find the sets, or remember them."""
        parameters = self.get_params(deep=False)
        told = {name: value for name, value in parameters.items() if name not in NO_PART_OF_THE_SEARCH}
        whole = takes_data(self.criterion, self.relevance)
        options = options_of(self.criterion) if whole else {}
        table, fit = catalogue.fitted_rows(rows.data, fit, options) if whole else (rows.data, fit)
        make = criterion_of(self.criterion, fit)
        measure = measure_of(self.relevance, self.criterion)
        look = search_of(self.search, self.within, self.solver)
        found_tau = self.tau == "auto" and self.search == "sequential" and self.alternatives > 0
        found_tau = found_tau and isinstance(self.distance, str)
        diversity = diversity_of(self.distance, TAU if self.tau == "auto" else self.tau)
        rules, k = self._rules(rows, fit.given), self._sizes(rows)

        def search() -> altsel.Solutions:
            given: Any = table if whole else remembered_dependence(self.memory, rows.data, measure)
            problem = altsel.Problem(make(given), 1 if k == "auto" else k, rules)
            if k == "auto":
                problem = sized(problem, self._size(problem, rows.data, make, None if whole else measure))
            if found_tau:
                found = self._with_tau(problem, look)
            else:
                found = look(problem, diversity, self.alternatives)
            if not found and found.stop is altsel.Stop.INFEASIBLE:
                raise DataError(self._why_none(problem, diversity))
            return completed(found)

        key = "" if self.memory is None else key_of(rows.data, rows.names, told, fit.weights)
        found: altsel.Solutions = remembered(self.memory, "search", key, search)
        return found

    def _size(self, problem: altsel.Problem, data: Any, make: Callable[..., Any], measure: Any) -> Choice:
        """Choose the size, by the first of several tables; if there is none a usual one."""
        if not catalogue.is_several(data):
            return size_of(problem, PermutedTargets(data, measure))
        if measure is None or data.guide is None:
            return usual(len(problem.objective.features), "no table tells how many")
        first = replace(problem, objective=make(altsel.dependence(data.guide, measure)))
        return size_of(first, PermutedTargets(data.guide, measure))

    def _with_tau(self, problem: altsel.Problem, look: Callable[..., altsel.Solutions]) -> altsel.Solutions:
        """Find tau, and the sets."""
        with shared_structures():
            return search_tau(
                problem,
                lambda diversity: look(problem, diversity, self.alternatives),
                lambda tau: diversity_of(self.distance, tau),
                self.alternatives,
            )[1]

    def _why_none(self, problem: altsel.Problem, diversity: Any) -> str:
        """Return in words why there is no set, or why there are not as many at once."""
        together = self.search in {"sum", "min"}
        alternatives = self.alternatives if together else 0
        told = altsel.explain(problem, diversity, alternatives, time_limit=EXPLAINED, together=together)
        return told.line()

    def _rules(self, rows: CheckedInput, always: Collection[str]) -> list[Any]:
        stated = DomainParameters(self.require, self.forbid, self.groups, self.costs, self.budget)
        further = (self.rules,) if callable(self.rules) else self.rules
        if not isinstance(further, Iterable):
            raise ArgumentError(
                f"rules={self.rules!r}; give a list of rules: [altsel.domain.at_most(2, [...])]"
            )
        usable = [name for name in rows.data.features if name not in always]
        return [*stated.rules(rows.names, usable), *further]

    def _sizes(self, rows: CheckedInput) -> Any:
        """Return `k`, or how many features there are if these are fewer."""
        left = set(rows.data.features).difference(features_named("forbid", self.forbid, rows.names))
        left -= set(features_named("given", self.given, rows.names))
        if not left:
            raise DataError("every feature is constant or forbidden: there is none to choose")
        if isinstance(self.k, str):
            if self.k != "auto":
                raise ArgumentError(f"k={self.k!r}; give a number of features, or 'auto'")
            return "auto"
        pair = (self.k.start, self.k.stop - 1) if isinstance(self.k, range) else self.k
        largest = pair[-1] if isinstance(pair, (tuple, list)) and pair else pair
        if not isinstance(largest, (int, np.integer)) or isinstance(largest, bool) or largest <= len(left):
            return self.k
        fits = tuple(min(size, len(left)) for size in pair) if isinstance(pair, (tuple, list)) else len(left)
        warn_caller(
            f"k={self.k!r}, but only {len(left)} features are neither constant nor forbidden: "
            f"k={fits!r} is used",
            DataWarning,
        )
        return fits
