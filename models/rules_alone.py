"""The rules of a problem by themselves: a model of one set without its objective."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from math import inf, nan
from typing import Any

from altsel.errors import RuleWarning
from altsel.models.black_box import BlackBox
from altsel.models.encodings import encode
from altsel.models.objective import is_own
from altsel.models.problem import KEPT, Problem, model_of_sets
from altsel.models.quality_ends import Ends, note_ends
from altsel.models.rule import NUMBERS, Row, Stated, title_of, unnamed
from altsel.models.rule_slack import allow_rounding
from altsel.models.rule_statement import refuse_other_rows, state
from altsel.pyomo_on_demand import expressions, pyo, standard_repn
from altsel.results.members import known_names
from altsel.runtime.caller import note_unpriced, warn_caller

FIX = "name each, or say what others have: other=0 if that is meant (in a file of rules: other = 0)"
"""What is to be done about features that a rule has no number of."""
MARGIN = 1e-6
"""Share of the ends of a quality by which they are moved out: the model's quality is rounded."""


@dataclass(frozen=True, eq=False)
class RulesAlone:
    """A model of one set, its size and the rules; the quality is a variable of which nothing is known.

    Attributes
    ----------
    model
        Made by `model_of_sets`.
    evaluated
        For each rule whether it says more than its rows, and is to be evaluated on sets.
    given
        Rows that rules give as numbers; the model lacks them.
    kept
        What is read from the model once, by those who read it.
    """

    model: Any
    evaluated: tuple[bool, ...]
    given: tuple[Row, ...]
    kept: dict[str, Any] = field(default_factory=dict, init=False)

    @property
    def block(self) -> Any:
        """The block of the set, with ``x`` and, for the quality, ``unknown``."""
        return self.model.sets[0]

    @property
    def rows(self) -> Iterator[Any]:
        """The rows of the rules, without that of the size and those given as numbers."""
        if "own_rules" in self.block.__dict__:
            host = self.block.own_rules
            yield from host.component_data_objects(pyo.Constraint, active=True, descend_into=True)

    @property
    def on_quality(self) -> bool:
        """Whether a row holds the quality."""
        unknown = self.block.unknown
        return any(v is unknown for row in self.rows for v in expressions.identify_variables(row.body))


class _Unknown(BlackBox):
    """A quality of which nothing is known but, where a rule must, what it lies between."""

    ends: Callable[[], Ends]

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        """Add a variable to the block, as its quality."""
        super().express(block, sizes)
        note_ends(block.unknown, self.ends)


def rules_alone(problem: Problem) -> RulesAlone:
    """Build the model of one set with its size and the domain constraints, and no objective; once."""
    kept: RulesAlone | None = problem.__dict__.get(KEPT)
    if kept is None:
        _note_unpriced(problem)
        unknown = _Unknown(lambda names: nan, problem.objective.features)
        unknown.ends, unknown.absent = partial(ends_of_quality, problem), dict(problem.objective.absent)
        by_numbers: list[Any] = [rule for rule in problem.subject_to if hasattr(rule, "given_rows")]
        stated = [rule for rule in problem.subject_to if not hasattr(rule, "given_rows")]
        alone = Problem(unknown, problem.k, stated)
        model = model_of_sets(alone)
        if any(map(is_own, stated)):
            _refuse_other_rows(alone, model)
            _warn_of_constants(alone, model)
        more = dict(zip(map(id, stated), model.sets[0].__dict__["evaluated"], strict=True))
        evaluated = tuple(more.get(id(rule), False) for rule in problem.subject_to)
        given = tuple(row for rule in by_numbers for row in rule.given_rows())
        kept = problem.__dict__[KEPT] = RulesAlone(model, evaluated, given)
    return kept


def ends_of_quality(problem: Problem) -> Ends:
    """Return what the quality of sets lies between by the model of its criterion; None if unknown."""
    from pyomo.contrib.fbbt.fbbt import compute_bounds_on_expr  # noqa: PLC0415  (with the first model)

    model = model_of_sets(Problem(problem.objective, problem.k))
    low, high = compute_bounds_on_expr(model.sets[0].quality)
    margin = MARGIN * max(1.0, abs(low or 0.0), abs(high or 0.0))
    return (None if low is None else low - margin), (None if high is None else high + margin)


def _note_unpriced(problem: Problem) -> None:
    """Warn of features that a rule has no number of, so that they cost nothing, say."""
    names = known_names(problem.objective.features, problem.objective.members)
    order = sorted(names, key=lambda name: (problem.index.get(name, len(names)), name))
    for rule in problem.subject_to:
        if not isinstance(rule, Stated) or rule.kind not in NUMBERS:
            continue
        number = NUMBERS[rule.kind]
        for given in rule.data[rule.kind]:
            if "other" not in given:
                note_unpriced(
                    f"rule {rule.title!r}",
                    unnamed(given, number, order),
                    FIX,
                    number=number,
                )


def _blocks(model: Any) -> Iterator[Any]:
    """Yield the block of each rule, in the order of the rules."""
    host = model.sets[0].__dict__.get("own_rules")
    yield from () if host is None else host.component_objects(pyo.Block, descend_into=False)


def _refuse_other_rows(problem: Problem, model: Any) -> None:
    """Refuse a rule that states other rows when it is called again, as one that reads a generator does.

    Raises
    ------
    ArgumentError
        Names the rule.
    """
    again = model_of_sets(problem)
    for rule, one, other in zip(problem.subject_to, _blocks(model), _blocks(again), strict=True):
        refuse_other_rows(rule, one, other)


def _warn_of_constants(problem: Problem, model: Any) -> None:
    """Warn of rules that returned a plain truth value: Python may have compared, and not Pyomo."""
    for rule, block in zip(problem.subject_to, _blocks(model), strict=True):
        said = block.__dict__.get("said_plainly")
        if "said_nothing" in block.__dict__ and said is None:
            warn_caller(
                f"rule {title_of(rule)!r} returned an empty collection: nothing; where it picks features, "
                "as by if f in b.x, a name may be misspelt; to say nothing on purpose, return "
                "pyo.Constraint.Skip",
                RuleWarning,
            )
        if said is not None:
            warn_caller(
                f"rule {title_of(rule)!r} returned {said}, whatever the set: a function of the names in a "
                "set is to be wrapped, altsel.domain.predicate(f); one of variables writes b.x['a'] == 1, "
                "not == True, b.x['a'].value or 'a' in b.x; to say it on purpose, return pyo.Constraint."
                f"{'Feasible' if said else 'Infeasible'}",
                RuleWarning,
            )


def rules_on_quality(problem: Problem) -> bool:
    """Return whether a row of a domain constraint holds the quality."""
    return bool(problem.subject_to) and rules_alone(problem).on_quality


def quality_ceiling(problem: Problem) -> float:
    """Return the most that the quality may be, by rows that hold nothing else; infinite if there are none."""
    alone, ends = rules_alone(problem), [inf]
    for row in alone.rows:
        form = standard_repn(row.body)
        if [id(v) for v in form.linear_vars] == [id(alone.block.unknown)]:
            [weight] = form.linear_coefs
            end = row.ub if weight > 0 else row.lb
            ends += [] if end is None else [(float(end) - float(form.constant)) / float(weight)]
    return min(ends)


@dataclass(frozen=True, eq=False)
class RowsOnly:
    """A rule of which only the rows count: what is evaluated on sets is left to the caller.

    Attributes
    ----------
    rule
        The rule.
    """

    rule: Any

    def __call__(self, block: Any) -> None:
        """State the rule, and drop what is no linear row; the rows have room for rounding."""
        x, sizes, quality = block.x, block.sizes, block.quality  # the rule may call its own by these names
        state(self.rule, block, x.values())
        for row in block.component_data_objects(pyo.Constraint, active=True, descend_into=True):
            if not standard_repn(row.body, quadratic=False).is_linear() and _holds(row.body, quality):
                row.deactivate()  # as where nothing is known of the quality
        encode(block, title_of(self.rule))
        allow_rounding(block, x.values(), sizes[1])

    may_be_silent = True

    @property
    def __name__(self) -> str:
        return title_of(self.rule)


def _holds(expression: Any, part: Any) -> bool:
    """Return whether an expression holds another one."""
    if expression is part:
        return True
    if not hasattr(expression, "is_expression_type") or not expression.is_expression_type():
        return False
    return any(_holds(argument, part) for argument in expression.args)
