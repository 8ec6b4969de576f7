"""A criterion and a measure that `altsel select` knows by name once this package is installed."""

import pyomo.environ as pyo
from scipy.stats import kendalltau

from altsel.models import Objective


class Weakest(Objective):
    """A set is as good as the least relevant of its features."""

    name = "smallest relevance"

    def __init__(self, dependence):
        self.features = tuple(dependence.relevance.index)
        self.relevance = dependence.relevance.to_numpy()
        self.target, self.fingerprint = dependence.target, dependence.fingerprint

    def score(self, mask):
        """Evaluate the formula."""
        return float(self.relevance[mask].min())

    def express(self, block, sizes):
        """Add the formula to a block: a variable that is at most the relevance of each feature that is in."""
        low, high = float(self.relevance.min()), float(self.relevance.max())
        block.least = pyo.Var(bounds=(low, high))
        block.at_most = pyo.ConstraintList()
        for feature, relevance in zip(self.features, self.relevance.tolist(), strict=True):
            block.at_most.add(block.least <= high - (high - relevance) * block.x[feature])
        block.quality = pyo.Expression(expr=block.least)


def absolute_kendall(a, b):
    """Return the absolute value of Kendall's tau."""
    return abs(float(kendalltau(a, b).statistic))
