"""Dependence measures: how much a feature tells of the target (relevance) and of another (redundancy)."""

from altsel.stats.dependence.association import Association, association
from altsel.stats.dependence.correlation import AbsoluteCorrelation, absolute_pearson, absolute_spearman
from altsel.stats.dependence.correlation_ratio import CorrelationRatio, correlation_ratio
from altsel.stats.dependence.gaussian_copula import GaussianCopulaInformation, gaussian_copula_information
from altsel.stats.dependence.importance import Importance, importances
from altsel.stats.dependence.information import MutualInformation, mutual_information
from altsel.stats.dependence.measure import Dependence, Measure, Pairwise, dependence
from altsel.stats.dependence.permutation_importance import PermutationImportance, permutation_importance
from altsel.stats.dependence.relief import Relief, relief, relieff
from altsel.stats.dependence.symmetric_uncertainty import SymmetricUncertainty, symmetric_uncertainty

__all__ = [
    "AbsoluteCorrelation",
    "Association",
    "CorrelationRatio",
    "Dependence",
    "GaussianCopulaInformation",
    "Importance",
    "Measure",
    "MutualInformation",
    "Pairwise",
    "PermutationImportance",
    "Relief",
    "SymmetricUncertainty",
    "absolute_pearson",
    "absolute_spearman",
    "association",
    "correlation_ratio",
    "dependence",
    "gaussian_copula_information",
    "importances",
    "mutual_information",
    "permutation_importance",
    "relief",
    "relieff",
    "symmetric_uncertainty",
]
