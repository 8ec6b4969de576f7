"""Knockoffs: what stands in for features that tell nothing, to count false discoveries by.

``altsel.discoveries(data, knockoffs=…)`` takes a name, one of these, or a function ``(X, rng) -> knockoffs``.

======================  ====================================================================
``Gaussian``            numbers: normal distribution of their normal scores, estimated covariance
``Sequential``          numbers and categories: each given the rest, by linear and multinomial models
``LassoCoefficients``   the usual statistic: absolute coefficients of a lasso
======================  ====================================================================
"""

from altsel.stats.knockoffs import Gaussian, LassoCoefficients, Sequential

__all__ = ["Gaussian", "LassoCoefficients", "Sequential"]
