"""Regularised models of classes, counts and times: their losses, many fits at once, and what bounds a fit.

A family is a convex loss of linear predictors and of constants that have no ridge. All that searches need
follows from that: for any predictors ``u``, with slopes ``g`` of the loss at u, and constants that are best
for u,

``min_b L(X_S b) + ridge/2 |b|^2 >= L(u) - <g, u> - sum_{j in S} |x_j'g|^2 / (2 ridge)``,

because a convex function is nowhere below its tangent. The right side is a constant and a sum over the set.
"""
