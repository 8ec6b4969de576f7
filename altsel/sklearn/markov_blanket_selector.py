"""The Markov blanket of the target, or one of several, as a scikit-learn selector."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from inspect import signature
from typing import Any, Self

import numpy as np

import altsel
from altsel import catalogue
from altsel.catalogue import LEARNERS, TESTS, AllBlanketsMethod, TemplateName
from altsel.errors import ArgumentError, listing
from altsel.search.blankets.all.soundness import sound_with_equivalences
from altsel.sklearn.checked_input import checked_input
from altsel.sklearn.names import by_name
from altsel.sklearn.remembered import key_of, remembered
from altsel.sklearn.set_selector import SetSelector, completed

USUAL = "hiton-mb"


class MarkovBlanketSelector(SetSelector):
    """Select the Markov blanket of the target by tests of conditional independence, or one of several.

    Given its Markov blanket, the target is independent of all other features. Where features carry the same
    information there are several blankets, which ``multiple=True`` finds; ``transform`` keeps the features of
    the one that ``set_index`` names, which can be changed after ``fit``.

    Parameters
    ----------
    method
        ``"hiton-mb"``, ``"iamb"``, ``"mmmb"`` or another search of ``altsel blanket --method``; or a function
        ``(test, alpha, limits=...)`` that returns `Solutions`, as those of ``altsel.blankets``; see
        `multiple`.
    test
        ``"auto"``, by the kinds of the columns; a name, such as ``"g2"`` or ``"cox"``; a function of a
        `Dataset` that returns a test, such as ``altsel.independence.GSquare``; or one of x, y and given that
        returns p, as `altsel.independence.Custom` takes.
    alpha
        Level of the tests.
    multiple
        False: one blanket. True: all, by TIE*, which repeats a search that is right although features stand
        for each other: `method`, if it is such a one (``"fbs"``, ``"grow-shrink"``, ``"iamb"``,
        ``"inter-iamb"``, ``"fast-iamb"``, a function), and ``"fbs"`` in place of the default.
        ``"tmfbs"``: all, by TMFBS, whose template is ``"fbs"`` (also in place of the default), ``"mmpc"``,
        ``"hiton-pc"``, ``"mrmr"``, ``"jmi"`` or ``"cmim"``.
    limits
        ``altsel.blankets.Limits``: features forced in or left out, tests, seconds, number of blankets.
    set_index
        The blanket in force: 0 is the first one found; or ``"union"`` or
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
    memory
        A folder, or a ``joblib.Memory``: searches are remembered there, by data and options.
    event
        Where `y` is the time to an event: the name of the column of `X` that says whether it was seen, for
        tests that take it (``"auto"``, ``"cox"``, ``"predictive"``); it is no feature.

    Attributes
    ----------
    solutions_
        The blankets with the p and the separating set of every feature: `Solutions`.
    feature_sets_
        The same sets as arrays of column positions.
    n_sets_
        How many blankets were found.
    n_features_in_, feature_names_in_
        As in scikit-learn; names only where columns have some.

    Raises
    ------
    ArgumentError, DataError
        In ``fit``: an argument is wrong, or the data cannot be used. In ``transform``: there is no set
        ``set_index``.

    Warns
    -----
    FalseDiscoveryWarning
        If more than one feature that tells nothing is expected to be selected by chance.

    Examples
    --------
    >>> import numpy as np
    >>> a, b, c, noise = np.random.default_rng(0).normal(size=(4, 500))
    >>> X, y = np.column_stack([a, b, 2 * a + 1, c]), a + b + noise
    >>> selector = MarkovBlanketSelector(multiple=True).fit(X, y)
    >>> [sorted(indices.tolist()) for indices in selector.feature_sets_]
    [[0, 1], [1, 2]]
    """

    def __init__(  # noqa: PLR0913
        self,
        method: Any = "hiton-mb",
        *,
        test: Any = "auto",
        alpha: float = 0.01,
        multiple: bool | str = False,
        limits: altsel.blankets.Limits | None = None,
        set_index: int | str = 0,
        task: str = "auto",
        missing: Any = "error",
        memory: Any = None,
        event: str | None = None,
    ) -> None:
        self.method = method
        self.test = test
        self.alpha = alpha
        self.multiple = multiple
        self.limits = limits
        self.set_index = set_index
        self.task = task
        self.missing = missing
        self.memory = memory
        self.event = event

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Search for the blanket, or for all.

        Parameters
        ----------
        X
            A frame of any library, an array, or a sparse array, of shape (rows, features); categories and
            text are taken as such.
        y
            The target, one value a row.
        sample_weight
            How often each row counts, for tests that take weights. In a pipeline weights arrive by
            scikit-learn's metadata routing: ``set_fit_request(sample_weight=True)``.
        groups
            Which rows belong together, such as those of a patient, for tests that heed it. In a pipeline
            they arrive by ``set_fit_request(groups=True)``.
        """
        table = checked_input(self, X, y, self.task, self.missing)
        given = {"weights": sample_weight, "groups": groups}
        rows: dict[str, Any] = {name: np.asarray(one) for name, one in given.items() if one is not None}
        if self.event is not None:
            rows["event"] = self.event
        look, make = _search(self.method, self.multiple), _test(self.test, rows)
        if rows and catalogue.is_several(table.data):
            raise ArgumentError(
                f"{_argument(next(iter(rows)))}: several tables take none: use missing='category'"
            )

        def search() -> altsel.Solutions:
            test = catalogue.each(table.data, make, "test")
            return completed(look(test, self.alpha, limits=self._limits(table.data)))

        options = (table.names, self.method, self.multiple, self.test, self.alpha, self.limits, rows)
        key = "" if self.memory is None else key_of(table.data, *options)
        return self._keep(remembered(self.memory, "blankets", key, search), table.names)

    def _limits(self, data: altsel.Dataset) -> altsel.blankets.Limits | None:
        """Return the limits; features that are constant in these rows are left out anyway."""
        if not isinstance(self.limits, altsel.blankets.Limits):
            return self.limits
        varied = tuple(
            name for name in self.limits.exclude if name in data.features or name not in data.absent
        )
        return replace(self.limits, exclude=varied)


def _search(method: Any, multiple: bool | str) -> Callable[..., altsel.Solutions]:
    """Return the search for one blanket, or for all."""
    if multiple == AllBlanketsMethod.TMFBS:
        usual = TemplateName.FBS if method == USUAL else method
        template = by_name("multiple='tmfbs' with method", usual, TemplateName)
        return partial(altsel.blankets.tmfbs, template=catalogue.template(template))
    learner = method if callable(method) else catalogue.learner(by_name("method", method, LEARNERS))
    if multiple is False:
        return learner
    if multiple is not True and multiple != AllBlanketsMethod.TIE_STAR:
        raise ArgumentError(f"multiple={multiple!r}; use False, True (TIE*) or 'tmfbs'")
    if method == USUAL:
        learner = altsel.blankets.forward_backward
    elif isinstance(method, str) and not sound_with_equivalences(learner):
        sound = [name for name in LEARNERS.own if sound_with_equivalences(catalogue.learner(name))]
        raise ArgumentError(
            f"method={method!r} goes wrong where features stand for each other; with multiple=True use "
            f"one of {listing(sound, 20)}"
        )
    return partial(altsel.blankets.tie_star, learner=learner)


def _test(given: Any, rows: Mapping[str, Any]) -> Callable[[altsel.Dataset], Any]:
    """Return what makes the test of a data set, given weights, groups and events of its rows.

    Raises
    ------
    ArgumentError
        If there is no such test, or it takes none of them.
    """
    if not callable(given):
        name = by_name("test", given, TESTS)
        for what in rows:
            if not TESTS[name].takes(what):
                able = listing(sorted(catalogue.heeding(what)), 20)
                raise ArgumentError(f"test={given!r} takes no {_argument(what)}; use one of {able}")
        return partial(catalogue.independence_test, name, seed=0, rows=rows)
    given = catalogue.as_maker(given)
    try:
        known = signature(given).parameters
    except (TypeError, ValueError):  # a callable that tells nothing of its arguments
        return partial(given, **rows)
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in known.values()):
        for what in rows:
            if what not in known:
                raise ArgumentError(f"test={given!r} takes no {_argument(what)}: it has no argument {what!r}")
    return partial(given, **rows)


def _argument(what: str) -> str:
    return "sample_weight" if what == "weights" else what
