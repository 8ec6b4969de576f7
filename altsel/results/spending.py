"""What sets cost by the budgets among the rules that were requested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from typing import Any

from altsel.results.members import Members


def spent(features: Sequence[str], rules: Any, members: Members) -> tuple[float, ...]:
    """Return what a set costs by each budget, in the order of the rules.

    A feature of several names costs what its cheapest name does, as the rule has it.

    Parameters
    ----------
    features
        The set.
    rules
        Rules as plain data, as files of solutions hold them; what is no budget is let be.
    members
        All names of features that go by several.

    Examples
    --------
    >>> rule = {"budget": [{"limit": 9, "cost": {"a": 2}, "fixed": [{"cost": 3, "of": ["b", "c"]}]}]}
    >>> spent(["a", "b"], [rule], {})
    (5.0,)
    """
    return tuple(_cost(features, budget, members) for budget in _budgets(rules))


def _budgets(rules: Any) -> Iterator[Mapping[str, Any]]:
    for rule in rules if isinstance(rules, (list, tuple)) else ():
        stated = rule.get("budget") if isinstance(rule, Mapping) else None
        for budget in stated if isinstance(stated, list) else ():
            if isinstance(budget, Mapping) and _is_whole(budget):
                yield budget


def _is_whole(budget: Mapping[str, Any]) -> bool:
    """Return whether data of a file are those of a budget: whoever reads the file may have written it."""
    cost, fixed = budget.get("cost", {}), budget.get("fixed", [])
    if not isinstance(cost, Mapping) or not isinstance(fixed, list):
        return False
    panels = all(isinstance(one, Mapping) and isinstance(one.get("of"), list) for one in fixed)
    numbers = [*cost.values(), budget.get("other", 0), *(one.get("cost") for one in fixed if panels)]
    return panels and all(isinstance(value, Real) for value in numbers)


def _cost(features: Sequence[str], budget: Mapping[str, Any], members: Members) -> float:
    cost, fixed, other = budget.get("cost", {}), budget.get("fixed", []), float(budget.get("other", 0.0))
    shared = {name for panel in fixed for name in panel["of"]}
    names = [members.get(feature, (feature,)) for feature in features]
    own = sum(min(float(cost.get(one, 0.0 if one in shared else other)) for one in part) for part in names)
    paid = (float(one["cost"]) for one in fixed if any({*part} & {*one["of"]} for part in names))
    return float(own + sum(paid))
