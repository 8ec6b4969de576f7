"""What is wanted of a feature set, and its model: one Pyomo block per set."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from altsel._types import BoolArray
from altsel.display.html import Table, page, text
from altsel.display.names import short
from altsel.errors import ArgumentError, of_kind
from altsel.models.clipping import power_of_two
from altsel.models.declarations import check_declared
from altsel.models.known_set import AfterKnown
from altsel.models.objective import Kind, Objective, is_own
from altsel.models.own_model import express, model_of, own_method
from altsel.models.predicate import Learned, OfData
from altsel.models.rule import Across, Rule, by_unit, title_of
from altsel.models.rule_block import impose, impose_across
from altsel.pyomo_on_demand import pyo, standard_repn

NO_LOWER = 1e-10
"""Share of a value by which it is lowered where that is rounding."""
KEPT = "_rules_alone"
"""Where a problem keeps the model of its rules; it does not travel to other processes."""


@dataclass(frozen=True)
class Problem:
    """What is wanted of every set; never how many sets, or by which solver.

    Parameters
    ----------
    objective
        The criterion to maximise.
    k
        Number of features: an int, a pair (smallest, largest) or a Python ``range``.
    subject_to
        Domain constraints: functions that add Pyomo components to one set's block, whose
        binary variables are ``block.x[name]`` and whose number of features is ``block.size``. The rules
        of `altsel.domain` can be pickled, and a problem with them; of your own functions those that
        are defined at the top of a module. Of grouped data (``Dataset.grouped``) the rules of `altsel.domain`
        may name any member of a group, and mean the group; your own functions name its column.
    across
        Constraints on all sets of a search together: functions ``rule(block, sets)`` that add
        components to the block, where ``sets[i][name]`` is a variable, or 0 or 1 of a set found before.

    Raises
    ------
    ArgumentError
        If `k` is no integer, below 1, or above the number of features.

    Examples
    --------
    >>> from altsel import Univariate
    >>> Problem(Univariate([0.3, 0.2, 0.1]), k=2).sizes
    (2, 2)
    """

    objective: Objective
    k: int | tuple[int, int] | range
    subject_to: Sequence[Rule] = ()
    across: Sequence[Across] = ()

    @cached_property
    def learned(self) -> tuple[Learned, ...]:
        """The rules that learn from sets which others break them."""
        return tuple(rule for rule in self.subject_to if isinstance(rule, Learned))

    def __post_init__(self) -> None:
        if not isinstance(self.objective, Objective):
            raise ArgumentError(
                f"{self.objective!r} is no objective; derive a class from altsel.models.Objective"
            )
        check_declared(self.objective)
        low, high = self.sizes
        n = len(self.objective.features)
        if low < 1 or high < low:
            raise ArgumentError(f"k={self.k!r}; choose at least one feature, and smallest before largest")
        if high > n:
            raise ArgumentError(f"k={self.k!r}, but there are only {n} features to choose from")
        for name in ("subject_to", "across"):
            of_kind(name, getattr(self, name), Callable | Iterable, "a list of rules")
        rules = (self.subject_to,) if callable(self.subject_to) else tuple(self.subject_to)
        if not all(callable(rule) for rule in rules):
            raise ArgumentError(
                "subject_to takes functions of a block, like def rule(b): b.limit = Constraint(...)"
            )
        for rule in rules:
            if isinstance(rule, OfData):
                rule.check(self.objective)
        object.__setattr__(self, "subject_to", by_unit(rules, self.objective.members))
        joint = (self.across,) if callable(self.across) else tuple(self.across)
        if not all(callable(rule) for rule in joint):
            raise ArgumentError("across takes functions of a block and of all sets; see domain.in_at_most")
        object.__setattr__(self, "across", by_unit(joint, self.objective.members))

    def __repr__(self) -> str:
        (low, high), n = self.sizes, len(self.objective.features)
        rules = len(self.subject_to) + len(self.across)
        sizes = f"k={low}" if low == high else f"k={low} to {high}"
        ruled = f", {rules} rule{'' if rules == 1 else 's'}" if rules else ""
        return f"<Problem: {short(self.objective.name)}, {sizes} of {n} features{ruled}>"

    def _repr_html_(self) -> str:
        low, high = self.sizes
        rules = [*self.subject_to, *self.across]
        rows = ([str(number), text(title_of(rule), 200)] for number, rule in enumerate(rules, 1))
        target = getattr(self.objective, "target", None)
        size = f"{low}" if low == high else f"{low} to {high}"
        lines = f"choose {size} of {len(self.objective.features):,} features"
        table = Table("Rules", ["rule", "what it says"], rows, len(rules), "rule", left={1})
        title = f"maximise {self.objective.name}" + (f" with {target}" if target else "")
        return page(title, [lines, *([table] if rules else [])])

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != KEPT}

    def after(self, known: Sequence[Collection[str]]) -> Problem:
        """Turn the rules across sets into rules on the next set, where the others are known."""
        if not self.across:
            return self
        after: list[Rule] = [AfterKnown(rule, self.objective.features, known) for rule in self.across]
        return replace(self, subject_to=[*self.subject_to, *after], across=())

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """Smallest and largest number of features, both included."""
        if isinstance(self.k, range):
            if not self.k or self.k.step != 1:
                raise ArgumentError(f"k={self.k!r}; use a range of step 1 that is not empty")
            return self.k.start, self.k.stop - 1
        pair = self.k if isinstance(self.k, (tuple, list)) else (self.k, self.k)
        integers = [isinstance(size, (int, np.integer)) and not isinstance(size, bool) for size in pair]
        if len(pair) != 2 or not all(integers):
            raise ArgumentError(f"k={self.k!r}; use an integer or a pair of them")
        return int(pair[0]), int(pair[1])

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Place of each feature name in the objective's mask."""
        return {f: j for j, f in enumerate(self.objective.features)}

    def ordered(self, features: Iterable[str]) -> tuple[str, ...]:
        """Sort names as the objective has them."""
        return tuple(sorted(features, key=self.index.__getitem__))

    def mask(self, features: Iterable[str]) -> BoolArray:
        """Turn names into the objective's mask."""
        mask = np.zeros(len(self.objective.features), dtype=bool)
        mask[[self.index[f] for f in features]] = True
        return mask


def checked_problem(problem: object) -> None:
    """Raise an ArgumentError if something is no problem."""
    of_kind("problem", problem, Problem, "a Problem: altsel.Problem(objective, k)")


def model_of_sets(
    problem: Problem, sets: int = 1, *, total: str = "sum", among: Sequence[int] | None = None
) -> pyo.ConcreteModel:
    """Build the model: blocks ``model.sets[i]`` with ``x``, ``size``, ``quality``, and one objective.

    ``maximise sum_i Q(s_i)`` or ``maximise min_i Q(s_i)`` subject to ``k_min <= |s_i| <= k_max``
    and the domain constraints. Sets are interchangeable, so they are ordered, best first: for the
    minimum, where the last one's quality is maximised, and for criteria with products of pairs
    (mRMR, wdbc, two sets: 4 s instead of 13). Dissimilarities between sets are added
    by `differ` and `differ_from`.

    Parameters
    ----------
    problem
        What is wanted of every set.
    sets
        Number of sets.
    total
        ``"sum"`` or ``"min"`` of the sets' qualities.
    among
        Places of the features that may be chosen (default: all); with domain constraints, and for a
        criterion of the user's own, the others stay in the model, fixed to 0, so that these may name them.

    Returns
    -------
    pyomo.environ.ConcreteModel
        ``model.implied`` names continuous variables that are integer in some optimum.

    Examples
    --------
    >>> from altsel import Univariate
    >>> model = model_of_sets(Problem(Univariate([0.5, 0.4, 0.3]), k=2))
    >>> print(model.sets[0].cardinality.expr)
    (sets[0].x[x0] + sets[0].x[x1] + sets[0].x[x2])  ==  2
    """
    checked_problem(problem)
    if total not in ("sum", "min"):
        raise ArgumentError(f"total={total!r}; use 'sum' or 'min'")
    everything = problem.objective.features
    allowed = everything if among is None else [everything[j] for j in among]
    named = problem.subject_to or problem.across or is_own(problem.objective)
    kept = everything if named else allowed
    model = pyo.ConcreteModel()
    model.implied = pyo.Suffix(direction=pyo.Suffix.LOCAL)
    model.sets = pyo.Block(range(sets))
    for block in model.sets.values():
        _one_set(block, problem, kept)
        for f in set(kept).difference(allowed) if kept is not allowed else ():
            block.x[f].fix(0)
    qualities = [block.quality for block in model.sets.values()]
    ordered = total == "min" or problem.objective.kind in {Kind.QUADRATIC, Kind.RATIO}
    if ordered and not problem.across:  # rules across sets may tell the first from the last
        model.order = pyo.ConstraintList()
        for better, worse in pairwise(qualities):
            model.order.add(better >= worse)
    impose_across(model, problem.across, [block.x for block in model.sets.values()])
    if total == "sum":
        aim = pyo.quicksum(qualities)
    else:
        aim = _least(model, qualities) if problem.across and sets > 1 else qualities[-1]
    model.total = pyo.Objective(expr=aim, sense=pyo.maximize)
    return model


def _least(model: Any, qualities: Sequence[Any]) -> Any:
    """Add a variable below all qualities, in their unit: the least of them, where it is maximised."""
    from pyomo.contrib.fbbt.fbbt import compute_bounds_on_expr  # noqa: PLC0415  (with the first model)

    ends = [compute_bounds_on_expr(quality) for quality in qualities]
    lows, highs = zip(*ends, strict=True)
    forms = [standard_repn(quality) for quality in qualities]
    unit = power_of_two(max((abs(c) for form in forms for c in form.linear_coefs), default=1.0))
    low = None if None in lows else min(lows) / unit
    model.least = pyo.Var(bounds=(low, None if None in highs else max(highs) / unit))
    model.least_unit = unit
    model.poorest = pyo.ConstraintList()
    for quality in qualities:
        model.poorest.add(unit * model.least <= quality)
    return unit * model.least


def _one_set(block: Any, problem: Problem, features: Sequence[str]) -> None:
    low, high = problem.sizes
    block.x = pyo.Var(features, domain=pyo.Binary)
    block.__dict__["absent"] = problem.objective.absent
    block.size = pyo.Expression(expr=pyo.quicksum(block.x.values()))
    block.cardinality = pyo.Constraint(
        expr=pyo.inequality(low, block.size, high) if low < high else block.size == low
    )
    express(problem.objective, block, problem.sizes)
    block.__dict__["evaluated"] = impose(block, problem.subject_to, problem.sizes)


def exclude(block: Any, one: Collection[str]) -> None:
    """Keep a block from being a set."""
    if block.component("excluded") is None:
        block.excluded = pyo.ConstraintList()
    block.excluded.add(differs(block.x, one))


def differs(x: Mapping[str, Any], one: Collection[str]) -> Any:
    """Return the row that this set alone breaks: ``sum_{j in s} x_j - sum_{j not in s} x_j <= |s| - 1``."""
    return pyo.quicksum(x[f] if f in one else -x[f] for f in x) <= len(one) - 1


def chosen(block: Any) -> frozenset[str]:
    """Read the set from a solved block."""
    return frozenset(f for f, x in block.x.items() if x.value is not None and x.value > 0.5)


def start_from(problem: Problem, block: Any, features: Collection[str]) -> None:
    """Set a block's variables to a set: the warm start."""
    for f, x in block.x.items():
        if not x.fixed:
            x.set_value(int(f in features), skip_validation=True)
    own_method(problem.objective, "set_helper_values", model_of(block))


def with_cuts(problem: Problem, model: Any) -> float | None:
    """Correct qualities that a model only bounds and that are above the formula at its sets.

    Returns
    -------
    float or None
        The total by the formula, if rows were added; None if the model is right there.
    """
    blocks = () if model.component("sets") is None else model.sets.values()
    changed = [own_method(problem.objective, "add_cut", model_of(block)) for block in blocks]
    return float(pyo.value(model.total)) if any(changed) else None


def lowered(before: float, value: float) -> bool:
    """Return whether rows that were added have lowered a value by more than rounding."""
    return before - value > NO_LOWER * max(1.0, abs(value))


def complete_products(model: Any) -> None:
    """Return the variables between proposed sets the values that follow."""
    blocks = list(model.sets.values())
    if model.component("least") is not None:
        qualities = [pyo.value(block.quality, exception=False) for block in blocks]
        if None not in qualities:  # a criterion of the user's own has variables without a value
            model.least.set_value(min(qualities) / model.least_unit, skip_validation=True)
    for (i, j, f), common in (model.component("common") or {}).items():
        common.set_value(blocks[i].x[f].value * blocks[j].x[f].value, skip_validation=True)
    for f, pairs in (model.component("pairs_of") or {}).items():
        count = sum(block.x[f].value for block in blocks)
        pairs.set_value(count * (count - 1) // 2, skip_validation=True)


def holds(block: Any) -> bool:
    """Return whether the values on a block satisfy its constraints; those with missing values may."""
    for row in block.component_data_objects(pyo.Constraint, active=True):
        value = pyo.value(row.body, exception=False)
        low, high = row.lb, row.ub
        if value is None:
            continue
        if (low is not None and value < low - 1e-9) or (high is not None and value > high + 1e-9):
            return False
    return True


def clear_start(block: Any) -> None:
    """Take a warm start back."""
    for x in block.x.values():
        if not x.fixed:
            x.set_value(None)
