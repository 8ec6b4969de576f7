"""Tests of the equivalence of two feature sets."""

from altsel.stats.equivalence.by_independence import ByIndependence
from altsel.stats.equivalence.comprehensive import Comprehensive, JTest
from altsel.stats.equivalence.criterion import Criterion, Judgement, SetTest, recommended_criterion
from altsel.stats.equivalence.models.cross_validated import CrossValidatedModels
from altsel.stats.equivalence.models.frequencies import FrequencyModels
from altsel.stats.equivalence.models.glm import GLMModels
from altsel.stats.equivalence.models.held_out import HeldOutModels
from altsel.stats.equivalence.models.sklearn import SklearnModels
from altsel.stats.equivalence.paired import TOST, NonInferiority, PairedT, Wilcoxon
from altsel.stats.equivalence.permutation import PermutedAUC, PermutedMean, PermutedVariance
from altsel.stats.equivalence.protocol import Models
from altsel.stats.equivalence.resampled import ResampledT
from altsel.stats.equivalence.vuong import Vuong
from altsel.stats.sign_flips import SignFlips

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
    "Judgement",
    "Models",
    "NonInferiority",
    "PairedT",
    "PermutedAUC",
    "PermutedMean",
    "PermutedVariance",
    "ResampledT",
    "SetTest",
    "SignFlips",
    "SklearnModels",
    "Vuong",
    "Wilcoxon",
    "recommended_criterion",
]
