"""Tests of independence, learners of blankets and rankings by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import altsel
from altsel.catalogue.names import (
    BlanketMethod,
    EstimatorName,
    FilterName,
    IndependenceName,
    LearnerName,
    TemplateName,
)
from altsel.errors import ArgumentError, listing

if TYPE_CHECKING:
    from altsel.results import Solutions


def independence_test(
    name: IndependenceName,
    table: altsel.Dataset,
    seed: int,
    predictive: Mapping[str, Any] | None = None,
    rows: Mapping[str, Any] | None = None,
    **cells: Any,
) -> altsel.independence.Independence:
    """Return the test of a name.

    Parameters
    ----------
    name, table, seed
        The test, its data, and the seed of everything random.
    predictive, cells
        Options of predictive tests, and of tests of contingency tables; None: the test's default.
    rows
        Names of the columns that say how often rows count, and which belong together: ``weights`` and
        ``groups``.

    Raises
    ------
    ArgumentError
        If the test takes no weights, or rows for independent.
    """
    known, told = altsel.independence, dict[str, Any](rows or {})
    wanted = {option: value for option, value in cells.items() if value is not None}
    cells = {"fallback": known.Permutations(random_state=seed), **wanted}
    _refuse_rows(name, told)
    if "groups" in told:
        return _of_groups(name, table, told, seed, cells)
    if name is IndependenceName.AUTO:
        usual = known.auto(table, **told)
        return known.GSquare(table, **told, **cells) if isinstance(usual, known.GSquare) else usual
    tests: dict[IndependenceName, Callable[[], altsel.independence.Independence]] = {
        IndependenceName.G2: lambda: known.GSquare(table, **told, **cells),
        IndependenceName.CHI2: lambda: known.ChiSquare(table, **told, **cells),
        IndependenceName.TREND: lambda: known.Trend(table, **told),
        IndependenceName.CORRELATION: lambda: known.PartialCorrelation(table, **told),
        IndependenceName.SPEARMAN: lambda: known.PartialCorrelation(table, ranks=True, **told),
        **{
            one: partial(known.LikelihoodRatio, table, family=family, **told)
            for one, family in _regressions().items()
        },
        IndependenceName.KERNEL: lambda: known.kernel(table, random_state=seed),
        IndependenceName.PREDICTIVE: lambda: known.PredictivePermutation(
            table, random_state=seed, **(predictive or {})
        ),
    }
    return tests[name]()


def _regressions() -> dict[IndependenceName, Any]:
    """Return the tests by regression, and their families."""
    known = altsel.independence
    return {
        IndependenceName.RATIO: None,
        IndependenceName.POISSON: known.Poisson(),
        IndependenceName.NEGATIVE_BINOMIAL: known.NegativeBinomial(),
    }


def _of_groups(
    name: IndependenceName, table: altsel.Dataset, rows: dict[str, Any], seed: int, cells: dict[str, Any]
) -> altsel.independence.Independence:
    """Return the test of a name for clustered rows."""
    known = altsel.independence
    if name in {IndependenceName.G2, IndependenceName.CHI2}:
        kind = known.GSquare if name is IndependenceName.G2 else known.ChiSquare
        return kind(table, permutations=known.Permutations(random_state=seed), **rows, **cells)
    if name is IndependenceName.AUTO:
        return known.auto(table, **rows)
    return known.RobustScore(table, family=_regressions()[name], **rows)


def heeding(what: str) -> set[IndependenceName]:
    """Return the tests that take ``"weights"`` or ``"groups"`` of rows.

    Examples
    --------
    >>> sorted(map(str, heeding("weights") - heeding("groups")))
    ['partial-correlation', 'spearman', 'trend']
    """
    both = {IndependenceName.AUTO, *_regressions(), IndependenceName.G2, IndependenceName.CHI2}
    alone = {IndependenceName.TREND, IndependenceName.CORRELATION, IndependenceName.SPEARMAN}
    return both | alone if what == "weights" else both


def _refuse_rows(name: IndependenceName, rows: Mapping[str, str]) -> None:
    """Raise an ArgumentError if a test cannot heed weights or groups."""
    for what in rows:
        if name not in heeding(what):
            able = listing(sorted(heeding(what)), 9)
            raise ArgumentError(f"--{what}: the test {name} takes no {what}; use --test with one of {able}")


def estimator(name: EstimatorName, seed: int) -> Any:
    """Return the estimator of a name: a word, or a classifier and a regressor."""
    if name in {EstimatorName.TREE, EstimatorName.LINEAR}:
        return name.value
    from sklearn import compose, ensemble, pipeline, preprocessing  # noqa: PLC0415  (heavy)

    if name is EstimatorName.BOOSTING:
        boosting = (ensemble.HistGradientBoostingClassifier, ensemble.HistGradientBoostingRegressor)
        return tuple(kind(random_state=seed, categorical_features="from_dtype") for kind in boosting)
    encoded = compose.make_column_transformer(
        (
            preprocessing.OneHotEncoder(handle_unknown="ignore"),
            compose.make_column_selector(dtype_include="category"),
        ),
        remainder="passthrough",
    )
    forests = (ensemble.RandomForestClassifier, ensemble.RandomForestRegressor)
    return tuple(pipeline.make_pipeline(encoded, kind(random_state=seed)) for kind in forests)


def predictor(name: EstimatorName, table: altsel.Dataset, seed: int) -> Any:
    """Return the estimator of a name that predicts the target of a table from some of its columns.

    Categories are encoded one-hot; ``linear`` is a ridge or logistic regression (C = 1) on scaled numbers.
    """
    from sklearn import compose, ensemble, linear_model, pipeline, preprocessing, tree  # noqa: PLC0415  (heavy)

    if name is EstimatorName.BOOSTING:
        return estimator(name, seed)[0 if table.discrete_target else 1]
    pairs = {
        EstimatorName.TREE: (tree.DecisionTreeClassifier, tree.DecisionTreeRegressor),
        EstimatorName.FOREST: (ensemble.RandomForestClassifier, ensemble.RandomForestRegressor),
    }
    linear = name is EstimatorName.LINEAR
    encoded = compose.make_column_transformer(
        (
            preprocessing.OneHotEncoder(handle_unknown="ignore", sparse_output=False),
            compose.make_column_selector(dtype_include="category"),
        ),
        remainder=preprocessing.StandardScaler() if linear else "passthrough",
    )
    if linear:
        regression = linear_model.LogisticRegression(max_iter=2000)
        return pipeline.make_pipeline(encoded, regression if table.discrete_target else linear_model.Ridge())
    kind = pairs[name][0 if table.discrete_target else 1]
    return pipeline.make_pipeline(encoded, kind(random_state=seed))


def learner(name: BlanketMethod | LearnerName) -> Callable[..., Solutions]:
    """Return the search for one blanket of a name."""
    known = altsel.blankets
    learners: dict[str, Callable[..., Solutions]] = {
        "fbs": known.forward_backward,
        "fbed": partial(known.forward_backward_early_dropping, extra_runs=1),
        "grow-shrink": known.grow_shrink,
        "iamb": known.iamb,
        "inter-iamb": known.inter_iamb,
        "fast-iamb": known.fast_iamb,
        "mmpc": known.mmpc,
        "mmmb": known.mmmb,
        "hiton-pc": known.hiton_pc,
        "hiton-mb": known.hiton_mb,
        "pcmb": known.pcmb,
        "ipc-mb": known.ipcmb,
        "pc-simple": known.pc_simple,
        "stmb": known.stmb,
        "ppfs": known.ppfs,
    }
    return learners[name.value]


def template(name: TemplateName) -> altsel.blankets.Template:
    """Return the template of TMFBS of a name."""
    known = altsel.blankets
    makers: dict[TemplateName, Callable[[], altsel.blankets.Template]] = {
        TemplateName.FBS: known.Template,
        TemplateName.MMPC: known.mmpc_template,
        TemplateName.HITON_PC: known.hiton_pc_template,
    }
    return makers.get(name, partial(known.information_template, name.value))()


def ranking(name: FilterName) -> Callable[..., Solutions]:
    """Return the filter of a name."""
    found: Callable[..., Solutions] = getattr(altsel.ranking, name.value.replace("-", "_"))
    return found
