"""Tests of the equivalence of two feature sets, and the criteria that searches combine them to.

``default_tests(data)`` gives what TMFBS recommends; ``equivalence`` applies tests to many sets.

==================================================  ============================================
`PermutedMean`, `PermutedVariance`, `PermutedAUC`   predictive equivalence, by permutations
`PairedT`, `Wilcoxon`                               predictive equivalence, by paired losses
`TOST`, `NonInferiority`                            equivalence up to a margin
`Vuong`, `JTest`, `Comprehensive`                   equivalence of models, nested or not
`ByIndependence`                                    information equivalence, by tests of independence
`GLMModels`, `FrequencyModels`, `SklearnModels`     the models that sets are compared by
`Criterion`, ``recommended_criterion``              several tests, one after another
==================================================  ============================================
"""

from altsel.analysis.equivalence import (
    default_tests,
)
from altsel.stats.equivalence import (
    TOST,
    ByIndependence,
    Comprehensive,
    Criterion,
    FrequencyModels,
    GLMModels,
    JTest,
    NonInferiority,
    PairedT,
    PermutedAUC,
    PermutedMean,
    PermutedVariance,
    SignFlips,
    SklearnModels,
    Vuong,
    Wilcoxon,
    recommended_criterion,
)

__all__ = [
    "TOST",
    "ByIndependence",
    "Comprehensive",
    "Criterion",
    "FrequencyModels",
    "GLMModels",
    "JTest",
    "NonInferiority",
    "PairedT",
    "PermutedAUC",
    "PermutedMean",
    "PermutedVariance",
    "SignFlips",
    "SklearnModels",
    "Vuong",
    "Wilcoxon",
    "default_tests",
    "recommended_criterion",
]
