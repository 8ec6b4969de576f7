"""Measures of dependence: how much a feature tells of the target, and of another feature.

A measure turns a `Dataset` into a `Dependence` by ``dependence(data, measure)``. A function of two
arrays that returns a number is one, too.

======================================  ======================================================
``association``                         squared correlation of ranks, straight or curved, and of levels, by p
``mutual_information``                  nats; of tables, of numbers by nearest neighbours
``symmetric_uncertainty``               mutual information as a share of the mean entropy
``absolute_pearson``                    absolute correlation; ``absolute_spearman`` of ranks
``correlation_ratio``                   of numbers across classes; Cramér's V of classes
``gaussian_copula_information``         nats, in closed form from ranks; for Gaussian copulas
``relief``, ``relieff``                 Relief and ReliefF; `Relief` takes settings
``importances``                         of a fitted scikit-learn model
``permutation_importance``              loss of a model, on rows left out, when one is shuffled
======================================  ======================================================

What chance gives is subtracted (``debiased=False``: it is not), so that no measure rewards many levels:
information and symmetric uncertainty of classes and the correlation ratio in closed form, importances and
Relief by permuted copies; permutation importance is measured on rows left out.
"""

from altsel.stats.dependence import (
    Association,
    CorrelationRatio,
    Measure,
    MutualInformation,
    Relief,
    SymmetricUncertainty,
    absolute_pearson,
    absolute_spearman,
    association,
    correlation_ratio,
    gaussian_copula_information,
    importances,
    mutual_information,
    permutation_importance,
    relief,
    relieff,
    symmetric_uncertainty,
)

__all__ = [
    "Association",
    "CorrelationRatio",
    "Measure",
    "MutualInformation",
    "Relief",
    "SymmetricUncertainty",
    "absolute_pearson",
    "absolute_spearman",
    "association",
    "correlation_ratio",
    "gaussian_copula_information",
    "importances",
    "mutual_information",
    "permutation_importance",
    "relief",
    "relieff",
    "symmetric_uncertainty",
]
