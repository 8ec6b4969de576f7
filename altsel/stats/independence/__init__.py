"""Tests of conditional independence: all candidates at once, given some features."""

from altsel.stats.independence.benjamini_hochberg import BenjaminiHochberg
from altsel.stats.independence.counted import Counted, TestCounts
from altsel.stats.independence.cox import CoxRatio
from altsel.stats.independence.custom import Custom
from altsel.stats.independence.g_square import ChiSquare, GSquare, WhenUntestable
from altsel.stats.independence.glm.families import Categorical, Gaussian, Poisson, ProportionalOdds
from altsel.stats.independence.glm.negative_binomial import NegativeBinomial
from altsel.stats.independence.likelihood_ratio import LikelihoodRatio
from altsel.stats.independence.oracle import DSeparation, JointTable
from altsel.stats.independence.partial_correlation import PartialCorrelation
from altsel.stats.independence.permutations import Permutations
from altsel.stats.independence.predictive.knockoffs import Conditional
from altsel.stats.independence.predictive.permutation import PredictivePermutation
from altsel.stats.independence.protocol import Independence, TestResults
from altsel.stats.independence.robust_score import RobustScore
from altsel.stats.independence.trend import Trend

__all__ = [
    "BenjaminiHochberg",
    "Categorical",
    "ChiSquare",
    "Conditional",
    "Counted",
    "CoxRatio",
    "Custom",
    "DSeparation",
    "GSquare",
    "Gaussian",
    "Independence",
    "JointTable",
    "LikelihoodRatio",
    "NegativeBinomial",
    "PartialCorrelation",
    "Permutations",
    "Poisson",
    "PredictivePermutation",
    "ProportionalOdds",
    "RobustScore",
    "TestCounts",
    "TestResults",
    "Trend",
    "WhenUntestable",
]
