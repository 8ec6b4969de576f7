"""Model-X knockoffs: copies of features that tell nothing of the target, and otherwise behave alike."""

from altsel.stats.knockoffs.choice import chosen_knockoffs
from altsel.stats.knockoffs.gaussian import Gaussian
from altsel.stats.knockoffs.lasso import LassoCoefficients
from altsel.stats.knockoffs.sampler import Draw, Knockoffs, OwnSampler
from altsel.stats.knockoffs.sequential import Sequential
from altsel.stats.knockoffs.statistics import chosen_statistic, differences

__all__ = [
    "Draw",
    "Gaussian",
    "Knockoffs",
    "LassoCoefficients",
    "OwnSampler",
    "Sequential",
    "chosen_knockoffs",
    "chosen_statistic",
    "differences",
]
