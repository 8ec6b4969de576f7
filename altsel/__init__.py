"""Find which other feature sets explain the target as well, with proofs.

Names are imported when they are first used, so that ``import altsel`` costs nothing; what there is
stands in ``altsel/__init__.pyi``. Namespaces: `altsel.domain` (rules), `altsel.measures`,
`altsel.independence` and `altsel.comparison` (tests), `altsel.blankets`, `altsel.ranking`,
`altsel.greedy`, `altsel.data`, `altsel.results`, `altsel.solvers`; scikit-learn estimators:
`altsel.sklearn`.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
