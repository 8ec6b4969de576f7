"""Tests of the equivalence of two feature sets."""

from altsel.stats.equivalence.by_independence import ByIndependence
from altsel.stats.equivalence.criterion import Criterion, Judgement, SetTest, recommended
from altsel.stats.equivalence.estimated import Estimated
from altsel.stats.equivalence.frequencies import Frequencies
from altsel.stats.equivalence.models import Models
from altsel.stats.equivalence.nested import Comprehensive, JTest
from altsel.stats.equivalence.paired import TOST, NonInferiority, PairedT, Wilcoxon
from altsel.stats.equivalence.permuted import PermutedAUC, PermutedMean, PermutedVariance
from altsel.stats.equivalence.regression import Regression
from altsel.stats.equivalence.signs import Signs
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
