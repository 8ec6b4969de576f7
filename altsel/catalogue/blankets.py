"""Models, and templates of searches for all blankets, by their names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import altsel
from altsel.catalogue.names import EstimatorName, TemplateName
from altsel.runtime.entries import OWN, Entry


def estimator(name: str, seed: int) -> Any:
    """Return the estimator of a name: a word, a classifier and a regressor, or one's own ``module:object``.

    A class or function is called, with ``random_state`` if it takes that.
    """
    if ":" in name:
        own = Entry(name, name, package=OWN)
        made = own.load()
        if not isinstance(made, type) and hasattr(made, "fit"):
            return made
        return own.make(**({"random_state": seed} if own.takes("random_state") else {}))
    name = EstimatorName(name)
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


def template(name: TemplateName) -> altsel.blankets.Template:
    """Return the template of TMFBS of a name."""
    known = altsel.blankets
    makers: dict[TemplateName, Callable[[], altsel.blankets.Template]] = {
        TemplateName.FBS: known.Template,
        TemplateName.MMPC: known.mmpc_template,
        TemplateName.HITON_PC: known.hiton_pc_template,
    }
    return makers.get(name, partial(known.information_template, name.value))()
