"""Find which other feature sets explain the target as well, with proofs.

Names are imported when they are first used, so that ``import altsel`` costs nothing; what there is
stands in ``altsel/__init__.pyi``. Namespaces: `altsel.domain` (rules), `altsel.measures`,
`altsel.independence` and `altsel.comparison` (tests), `altsel.knockoffs`, `altsel.interchange`,
`altsel.blankets`, `altsel.ranking`, `altsel.greedy`, `altsel.data`, `altsel.results`, `altsel.solvers`;
scikit-learn estimators: `altsel.sklearn`.
"""

import lazy_loader as _lazy

from altsel.runtime.interrupts import hold_interrupts as _hold_interrupts

_import, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    with _hold_interrupts():
        return _import(name)
