"""Tests of the equivalence of two feature sets, and the criteria that searches combine them to.

``default_tests(data)`` gives what TMFBS recommends; ``equivalence`` applies tests to many sets.

==================================================  ============================================
`PermutedMean`, `PermutedVariance`, `PermutedAUC`   predictive equivalence, by permutations
`PairedT`, `Wilcoxon`                               predictive equivalence, by paired losses
`ResampledT`                                        predictive equivalence, by the scores of folds
`TOST`, `NonInferiority`                            equivalence up to a margin
`Vuong`, `JTest`, `Comprehensive`                   equivalence of models, nested or not
`ByIndependence`                                    information equivalence, by tests of independence
`GLMModels`, `FrequencyModels`, `SklearnModels`     the models that sets are compared by
`CrossValidatedModels`                              models judged on rows they have not seen, fold by fold
`HeldOutModels`                                     models judged on rows that were held out
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
    CrossValidatedModels,
    FrequencyModels,
    GLMModels,
    HeldOutModels,
    JTest,
    NonInferiority,
    PairedT,
    PermutedAUC,
    PermutedMean,
    PermutedVariance,
    ResampledT,
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
    "CrossValidatedModels",
    "FrequencyModels",
    "GLMModels",
    "HeldOutModels",
    "JTest",
    "NonInferiority",
    "PairedT",
    "PermutedAUC",
    "PermutedMean",
    "PermutedVariance",
    "ResampledT",
    "SignFlips",
    "SklearnModels",
    "Vuong",
    "Wilcoxon",
    "default_tests",
    "recommended_criterion",
]
