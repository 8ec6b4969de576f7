"""Sources: the best sets of one problem, one after another, down to a floor, with a bound.

A source answers about one set of one problem, without a solver: `altsel.exact.sources.source` says what it
can be asked, ``SOURCES`` in `altsel.exact.sources.table` is all there are, in the order in which they are
tried. Each has a room of its own:

- ``plain_sum``: sums of relevances; lists that answer several questions each
- ``quadratic``: quadratic forms, and ratios level by level; branch and bound, then convex programs
- ``least_squares``: fits of linear models

Two rooms hold engines that answer questions about several sets as well:

- ``every_set``: all sets, where they are few
- ``model``: a mixed-integer program on a solver
"""
