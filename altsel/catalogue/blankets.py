"""Tests of independence, learners of blankets and rankings by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import altsel
from altsel.catalogue.names import BlanketMethod, EstimatorName, FilterName, IndependenceName, LearnerName

if TYPE_CHECKING:
    from altsel.results import Solutions


def independence_test(
    name: IndependenceName,
    table: altsel.Dataset,
    seed: int,
    predictive: Mapping[str, Any] | None = None,
    **cells: Any,
) -> altsel.independence.Independence:
    """Return the test of a name; options are for predictive tests, or (cells) for contingency tables."""
    known = altsel.independence
    if name is IndependenceName.AUTO:
        usual = known.auto(table)
        return known.GSquare(table, **cells) if isinstance(usual, known.GSquare) else usual
    tests: dict[IndependenceName, Callable[[], altsel.independence.Independence]] = {
        IndependenceName.G2: lambda: known.GSquare(table, **cells),
        IndependenceName.CHI2: lambda: known.ChiSquare(table, **cells),
        IndependenceName.TREND: lambda: known.Trend(table),
        IndependenceName.CORRELATION: lambda: known.PartialCorrelation(table),
        IndependenceName.SPEARMAN: lambda: known.PartialCorrelation(table, ranks=True),
        IndependenceName.RATIO: lambda: known.LikelihoodRatio(table),
        IndependenceName.POISSON: lambda: known.LikelihoodRatio(table, family=known.Poisson()),
        IndependenceName.NEGATIVE_BINOMIAL: lambda: known.LikelihoodRatio(
            table, family=known.NegativeBinomial()
        ),
        IndependenceName.KERNEL: lambda: known.kernel(table, random_state=seed),
        IndependenceName.PREDICTIVE: lambda: known.PredictivePermutation(
            table, random_state=seed, **(predictive or {})
        ),
    }
    return tests[name]()


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
        "ipc-mb": known.ipcmb,
        "stmb": known.stmb,
        "ppfs": known.ppfs,
    }
    return learners[name.value]


def ranking(name: FilterName) -> Callable[..., Solutions]:
    """Return the filter of a name."""
    found: Callable[..., Solutions] = getattr(altsel.ranking, name.value.replace("-", "_"))
    return found
