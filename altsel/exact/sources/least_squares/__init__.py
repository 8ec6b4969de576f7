"""Branch and bound for the fit of linear models, on the products of their columns.

With ``A`` the products of the columns given those chosen, ``b`` theirs with the target, and ``D = diag(d)``
with ``A - D`` positive semidefinite, for every w and every set S of at most q more features

``R^2(S) <= base + w'(A - D) w + sum_{j in S} (b - (A - D) w)_j^2 / d_j``,

because ``2 b'x - x'Ax <= w'(A-D)w + 2 (b - (A-D)w)'x - x'Dx`` for every x. For a given w it is a plain sum,
so its q best terms bound all sets, and rules, overlaps and exchanges act on it as on any sum. The best w
solves the perspective relaxation (Frangioni and Gentile 2006; Günlük and Linderoth 2010) and is found by
weighting anew; d, by the gradient of the root's bound (`diagonal`), holds in the whole tree.
"""
