"""Pyomo, imported when a model is first built: searches that need no model do not wait for it."""

from typing import Any

from altsel.runtime.on_demand import OnDemand

pyo: Any = OnDemand("pyomo.environ")
expressions: Any = OnDemand("pyomo.core.expr")
faults: Any = OnDemand("pyomo.common.errors")
repn: Any = OnDemand("pyomo.repn")
