"""Tests of conditional independence, bound to data: all candidates at once, given some features.

``auto(data)`` chooses by the kinds of the columns. A test is a function of candidates and of what is
given that returns `TestResults`; `Custom` makes one of a function that returns p, and `check_test` checks it.

=========================================  =====================================================
`GSquare`, `ChiSquare`                     contingency tables; by `Permutations` where cells expect few rows
`Trend`                                    ordinal, binary and integer columns: a trend of scores
`PartialCorrelation`                       numbers, linear relations; ``ranks=True`` for Spearman's
`LikelihoodRatio`                          targets and features of any kind: `ProportionalOdds` for
                                           ordinal ones, `Poisson` and `NegativeBinomial` for counts
`RobustScore`                              the same for clustered rows: ``groups=``
`CoxRatio`, `CoxScore`                     times to an event: ``event=``; for clustered rows, ``groups=``
``kernel``                                 any dependence of numbers (``altsel[kernel]``)
`GeneralisedCovariance`                    any regressions: residuals of target and candidate correlate
`ProjectedCovariance`                      any regression: the candidate helps to predict the mean
`PredictivePermutation`                    what a fitted model loses without a feature; any estimator
`DSeparation`, `JointTable`                oracles: a graph, or a known distribution
`BenjaminiHochberg`, `Counted`             wrap a test: corrected p, counts of what was done
=========================================  =====================================================
"""

from altsel.stats.independence.auto import (
    auto,
)
from altsel.stats.independence.benjamini_hochberg import BenjaminiHochberg
from altsel.stats.independence.checks import check_test
from altsel.stats.independence.counted import Counted
from altsel.stats.independence.covariance.generalised import GeneralisedCovariance, Weighting
from altsel.stats.independence.covariance.projected import ProjectedCovariance
from altsel.stats.independence.cox import CoxRatio
from altsel.stats.independence.cox_score import CoxScore
from altsel.stats.independence.custom import (
    Custom,
    kernel,
)
from altsel.stats.independence.g_square import ChiSquare, GSquare, WhenUntestable
from altsel.stats.independence.glm.families import Poisson, ProportionalOdds
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
    "ChiSquare",
    "Conditional",
    "Counted",
    "CoxRatio",
    "CoxScore",
    "Custom",
    "DSeparation",
    "GSquare",
    "GeneralisedCovariance",
    "Independence",
    "JointTable",
    "LikelihoodRatio",
    "NegativeBinomial",
    "PartialCorrelation",
    "Permutations",
    "Poisson",
    "PredictivePermutation",
    "ProjectedCovariance",
    "ProportionalOdds",
    "RobustScore",
    "TestResults",
    "Trend",
    "Weighting",
    "WhenUntestable",
    "auto",
    "check_test",
    "kernel",
]
