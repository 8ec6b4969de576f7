"""Names for what altsel can do, and what they stand for; the command line and benchmarks speak by them.

A new measure, objective, test, learner, ranking or dissimilarity is an `Entry` of its table, `MEASURES`,
`OBJECTIVES`, `TESTS`, `LEARNERS`, `RANKINGS` or `DISSIMILARITIES`; options, completion, selectors and
reference pages follow from it.
Another package adds an entry by an entry point of the table's group.
"""

from altsel.catalogue.alternatives import diversity, loss, search, sizes
from altsel.catalogue.blankets import estimator, predictor, template
from altsel.catalogue.dissimilarities import DISSIMILARITIES, DissimilarityFactory
from altsel.catalogue.independence import TESTS, as_maker, heeding, independence_test
from altsel.catalogue.learners import LEARNERS, REPEATED, learner
from altsel.catalogue.measures import MEASURES, measure
from altsel.catalogue.missing import ASSUMES, MISSING, each, is_several, of_missing, several
from altsel.catalogue.names import (
    AllBlanketsMethod,
    EstimatorName,
    KnockoffName,
    RemovalName,
    SearchName,
    TemplateName,
    Total,
)
from altsel.catalogue.objectives import (
    DEFAULT,
    OBJECTIVES,
    FitOptions,
    default_measure,
    fitted_rows,
    measure_for,
    objective,
    objective_factory,
    of_data,
    takes,
)
from altsel.catalogue.rankings import RANKINGS
from altsel.runtime.entries import Entry, Table

TABLES = (OBJECTIVES, MEASURES, TESTS, LEARNERS, RANKINGS, DISSIMILARITIES)
"""The tables whose names the command line takes."""

__all__ = [
    "ASSUMES",
    "DEFAULT",
    "DISSIMILARITIES",
    "LEARNERS",
    "MEASURES",
    "MISSING",
    "OBJECTIVES",
    "RANKINGS",
    "REPEATED",
    "TABLES",
    "TESTS",
    "AllBlanketsMethod",
    "DissimilarityFactory",
    "Entry",
    "EstimatorName",
    "FitOptions",
    "KnockoffName",
    "RemovalName",
    "SearchName",
    "Table",
    "TemplateName",
    "Total",
    "as_maker",
    "default_measure",
    "diversity",
    "each",
    "estimator",
    "fitted_rows",
    "heeding",
    "independence_test",
    "is_several",
    "learner",
    "loss",
    "measure",
    "measure_for",
    "objective",
    "objective_factory",
    "of_data",
    "of_missing",
    "predictor",
    "search",
    "several",
    "sizes",
    "takes",
    "template",
]
