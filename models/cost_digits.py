"""A linear cost of integers of any size, minimised digits by digits: solvers take numbers of few digits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from altsel.pyomo_on_demand import pyo


@dataclass
class CostByDigits:
    """``min sum_j c_j x_j`` of a model, the leading digits of the costs first.

    With digits d of ``c_j = 2^s_0 d_0j + ... + 2^s_m d_mj``, the excess ``h_i`` of what is left above its
    least value ``v_i``, and ``f_i = 2^(s_{i-1} - s_i)``: ``min f_i h_{i-1} + sum_j d_ij x_j``, one i after
    another, where ``h_{i-1} = f_{i-1} h_{i-2} + sum_j d_{i-1,j} x_j - v_{i-1}`` is an integer from 0 to the
    number of variables.

    Parameters
    ----------
    model
        A model with one objective, which is replaced.
    x
        Its binary variables, by name.

    Examples
    --------
    >>> import altsel
    >>> from altsel.models.removal import admissible
    >>> model = admissible(["a", "b"], [], met=[["a", "b"]])
    >>> cost = CostByDigits(model, model.blanket.x)
    >>> for digits, factor, least in (({"a": 1, "b": 1}, 0, 1), ({"a": 3, "b": 2}, 1024, None)):
    ...     cost.minimise(digits, factor)
    ...     outcome = altsel.solver()(model)
    ...     if least is not None:
    ...         cost.keep(least)
    >>> outcome.value, model.blanket.x["b"].value
    (2.0, 1)
    """

    model: Any
    x: Mapping[str, Any]
    _total: Any = field(default=None, init=False)

    def __post_init__(self) -> None:
        (self._objective,) = self.model.component_data_objects(pyo.Objective, active=True)
        self.model.excess = pyo.VarList(domain=pyo.NonNegativeIntegers)
        self.model.leading = pyo.ConstraintList()

    def __len__(self) -> int:
        return len(self.model.excess)

    def minimise(self, digits: Mapping[str, int], factor: int) -> None:
        """Minimise the next digits along with the excess of those before, of which one counts so much."""
        total = pyo.quicksum(digits[name] * x for name, x in self.x.items())
        if len(self):
            total += factor * self.model.excess[len(self)]
        self._total = total
        self._objective.set_value(total)

    def keep(self, least: int) -> None:
        """Name the excess of what was minimised above its least value."""
        excess = self.model.excess.add()
        excess.setub(len(self.x))
        self.model.leading.add(self._total - excess == least)
