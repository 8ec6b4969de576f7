"""Names for what altsel can do, and what they stand for; the command line and benchmarks speak by them.

A new measure, objective, test, learner or search gets its name here.
"""

from altsel.catalogue.alternatives import (
    default_measure,
    dissimilarity,
    diversity,
    measure,
    objective,
    objective_factory,
    search,
    sizes,
)
from altsel.catalogue.blankets import (
    estimator,
    heeding,
    independence_test,
    learner,
    predictor,
    ranking,
    template,
)
from altsel.catalogue.names import (
    BY_SUBSETS,
    AllBlanketsMethod,
    BlanketMethod,
    DissimilarityName,
    EstimatorName,
    FilterName,
    IndependenceName,
    KnockoffName,
    LearnerName,
    MeasureName,
    ObjectiveName,
    RemovalName,
    SearchName,
    TemplateName,
    Total,
)

__all__ = [
    "BY_SUBSETS",
    "AllBlanketsMethod",
    "BlanketMethod",
    "DissimilarityName",
    "EstimatorName",
    "FilterName",
    "IndependenceName",
    "KnockoffName",
    "LearnerName",
    "MeasureName",
    "ObjectiveName",
    "RemovalName",
    "SearchName",
    "TemplateName",
    "Total",
    "default_measure",
    "dissimilarity",
    "diversity",
    "estimator",
    "heeding",
    "independence_test",
    "learner",
    "measure",
    "objective",
    "objective_factory",
    "predictor",
    "ranking",
    "search",
    "sizes",
    "template",
]
