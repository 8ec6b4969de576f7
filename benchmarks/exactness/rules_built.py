"""Rules as altsel takes them: those of `altsel.domain`, and plain Pyomo as a user would write it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import pyomo.environ as pyo

from altsel import domain
from benchmarks.exactness.criteria import name, names
from benchmarks.exactness.rules import Across, Rule

Made = Callable[[Any], Any]
MEMBERS: dict[str, Callable[..., Made]] = {"require": domain.require, "forbid": domain.forbid}
GROUPS: dict[str, Callable[..., Made]] = {
    "all_or_none": domain.all_or_none,
    "mutually_exclusive": domain.mutually_exclusive,
}
COUNTS: dict[str, Callable[..., Made]] = {
    "at_most": domain.at_most,
    "at_least": domain.at_least,
    "exactly": domain.exactly,
}


def build_rule(rule: Rule, index: int) -> Made:
    """Make a rule under a name of its own."""
    message = _of_domain(rule) or _on_a_variable(rule) or _as_rows(rule, f"own_{index}")

    def named(b: Any) -> None:
        message(b)

    named.__name__ = named.__qualname__ = f"rule {index}"
    return named


def _of_domain(rule: Rule) -> Made | None:
    kind, given = rule.kind, rule.given
    for table in (MEMBERS, GROUPS, COUNTS):
        if kind in table:
            return _named(table[kind], given, kind)
    if kind == "implies":
        return domain.implies(name(given[0]), *names(given[1]))
    if kind == "proxy_limit":
        return domain.proxy_limit(_priced(given[0]), given[1], other=0)
    if kind == "budget":
        panels = [(cost, names(group)) for cost, group in given[2]]
        return domain.budget(_priced(given[0]), given[1], panels, other=0)
    return domain.minimum_quality(given[0]) if kind == "minimum_quality" else None


def _named(make: Callable[..., Made], given: tuple[Any, ...], kind: str) -> Made:
    group = names(given[-1])
    return make(*group) if kind in MEMBERS else make(*given[:-1], group)


def _on_a_variable(rule: Rule) -> Made | None:
    acts: dict[str, Callable[[Any], None]] = {
        "fix(1)": lambda x: x.fix(1),
        "fix(0)": lambda x: x.fix(0),
        "setlb(1)": lambda x: x.setlb(1),
        "setub(0)": lambda x: x.setub(0),
    }
    act = acts.get(rule.kind)
    return None if act is None else lambda b: act(b.x[name(rule.given[0])])


def _as_rows(rule: Rule, title: str) -> Made:
    """Write the rows themselves, with helper variables where the kind says so."""

    def message(b: Any) -> None:
        rows = pyo.ConstraintList()
        b.add_component(title, rows)
        for row in (row.rounded for row in rule.rows):
            body = pyo.quicksum(cost * b.x[name(index)] for index, cost in row.costs)
            body = body + row.quality * b.quality if row.quality else body
            if rule.kind == "size":
                body = b.size + pyo.quicksum((cost - 1) * b.x[name(p)] for p, cost in row.costs if cost != 1)
            if row.panels:
                body = body + _panels(b, rows, title, row.panels)
            if rule.kind == "helper continuous":
                body = _measured(b, rows, title, body)
            if rule.kind == "helper measured":
                body = _measured_twice(b, rows, title, body, rule.given)
            if rule.kind == "helper parts":
                body = _in_parts(b, rows, title, row.costs, rule.given[0])
            unit = 1.0
            if rule.kind == "helper steps":
                body, unit = _in_steps(b, rows, title, body, rule.given)
            _bounded(rows, body, *(None if end is None else end * unit for end in (row.low, row.high)))

    return message


def _bounded(rows: Any, body: Any, low: float | None, high: float | None) -> None:
    if low is not None and low == high:
        rows.add(body == low)
        return
    if low is not None:
        rows.add(body >= low)
    if high is not None:
        rows.add(body <= high)


def _panels(b: Any, rows: Any, title: str, panels: Sequence[tuple[float, int]]) -> Any:
    """Add one binary a group that is 1 if any of the group is chosen."""
    used = pyo.Var(range(len(panels)), domain=pyo.Binary)
    b.add_component(f"{title}_used", used)
    for g, (_, group) in enumerate(panels):
        for feature in names(group):
            rows.add(used[g] >= b.x[feature])
    return pyo.quicksum(cost * used[g] for g, (cost, _) in enumerate(panels))


def _measured(b: Any, rows: Any, title: str, body: Any) -> Any:
    """Name a sum by a continuous variable."""
    amount = pyo.Var()
    b.add_component(f"{title}_amount", amount)
    rows.add(amount == body)
    return amount


def _measured_twice(b: Any, rows: Any, title: str, body: Any, units: Sequence[float]) -> Any:
    """Hold a variable between a sum and itself, each in a unit of its own."""
    amount = pyo.Var()
    b.add_component(f"{title}_amount", amount)
    rows.add(units[0] * amount >= units[0] * body)
    rows.add(units[1] * amount <= units[1] * body)
    return amount


def _in_steps(b: Any, rows: Any, title: str, body: Any, factors: Sequence[float]) -> tuple[Any, float]:
    """Name a sum, and its share, and the share of that; and halve the size, so that it stays a variable."""
    amount, half = pyo.Var(range(len(factors) + 1)), pyo.Var(range(3), domain=pyo.Integers, bounds=(-99, 99))
    b.add_component(f"{title}_amount", amount)
    b.add_component(f"{title}_half", half)
    rows.add(amount[0] == body)
    for step, factor in enumerate(factors):
        rows.add(amount[step + 1] == factor * amount[step])
    rows.add(b.size == 2 * half[0] + 2 * half[1] + half[2])
    return amount[len(factors)], prod(factors)


def _in_parts(b: Any, rows: Any, title: str, costs: Sequence[tuple[int, float]], unit: float) -> Any:
    """Bound two parts of a sum from above by variables, of which each row holds so many units."""
    parts = pyo.Var(range(2))
    b.add_component(f"{title}_parts", parts)
    for side in range(2):
        part = pyo.quicksum(unit * cost * b.x[name(index)] for index, cost in costs[side::2])
        rows.add(unit * parts[side] >= part)
    return parts[0] + parts[1]


def build_across(rule: Across, index: int) -> Callable[[Any, Any], Any]:
    """Make a rule across sets."""
    if rule.kind == "in_at_most":
        return domain.in_at_most(int(rule.most), [name(p) for p, _ in rule.costs])

    def message(b: Any, sets: Any) -> None:
        spent = sum(cost * subset[name(p)] for subset in sets for p, cost in rule.costs)
        b.add_component(f"across_{index}", pyo.Constraint(expr=spent <= rule.most))

    message.__name__ = f"budget for all sets {index}"
    return message


def _priced(costs: Sequence[tuple[int, float]]) -> dict[str, float]:
    return {name(index): cost for index, cost in costs}
