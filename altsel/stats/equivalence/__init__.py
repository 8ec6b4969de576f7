"""Tests of the equivalence of two feature sets."""

from altsel.stats.equivalence.by_independence import ByIndependence
from altsel.stats.equivalence.comprehensive import Comprehensive, JTest
from altsel.stats.equivalence.criterion import Criterion, Judgement, SetTest, recommended
from altsel.stats.equivalence.models.frequencies import Frequencies
from altsel.stats.equivalence.models.glm import Regression
from altsel.stats.equivalence.models.sklearn import Estimated
from altsel.stats.equivalence.paired import TOST, NonInferiority, PairedT, Wilcoxon
from altsel.stats.equivalence.permutation import PermutedAUC, PermutedMean, PermutedVariance
from altsel.stats.equivalence.protocol import Models
from altsel.stats.equivalence.sign_flips import Signs
from altsel.stats.equivalence.vuong import Vuong

__all__ = [
    "TOST",
    "ByIndependence",
    "Comprehensive",
    "Criterion",
    "Estimated",
    "Frequencies",
    "JTest",
    "Judgement",
    "Models",
    "NonInferiority",
    "PairedT",
    "PermutedAUC",
    "PermutedMean",
    "PermutedVariance",
    "Regression",
    "SetTest",
    "Signs",
    "Vuong",
    "Wilcoxon",
    "recommended",
]
