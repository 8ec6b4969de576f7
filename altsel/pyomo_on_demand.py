"""Pyomo, imported when a model is first built: searches that need no model do not wait for it."""

import logging
from typing import Any

from altsel.runtime.no_processes import make_locks_of_threads
from altsel.runtime.on_demand import OnDemand

make_locks_of_threads()

pyo: Any = OnDemand("pyomo.environ")
expressions: Any = OnDemand("pyomo.core.expr")
faults: Any = OnDemand("pyomo.common.errors")
_repn: Any = OnDemand("pyomo.repn")
_log = logging.getLogger("pyomo.common.numeric_types")


def standard_repn(expression: Any, **options: Any) -> Any:
    """Return an expression's constant, linear and other terms, as ``generate_standard_repn`` of Pyomo does.

    Pyomo evaluates the base of a power that is 0 whatever its variables are, as of ``(0 * x) ** 2``, and
    fails where these have no value yet; they get one for that long.

    Parameters
    ----------
    expression
        Of variables that may have no values.
    options
        What Pyomo's function takes.
    """
    silent, _log.disabled = _log.disabled, True
    try:
        return _repn.generate_standard_repn(expression, **options)
    except ValueError:
        unset = [v for v in expressions.identify_variables(expression) if v.value is None]
        if not unset:
            raise
    finally:
        _log.disabled = silent
    for variable in unset:
        variable.set_value(0, skip_validation=True)
    try:
        return _repn.generate_standard_repn(expression, **options)
    finally:
        for variable in unset:
            variable.set_value(None, skip_validation=True)
