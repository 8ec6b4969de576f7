"""The complete model of a question, for whoever goes on with it alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from importlib import import_module
from typing import Any

from altsel.errors import ArgumentError, checked_integer
from altsel.models.dissimilarity import Dissimilarity, refuse_no_dissimilarity, share_of
from altsel.models.given_sets import given_sets
from altsel.models.objective import is_own
from altsel.models.overlap_rows import differ_from
from altsel.models.own_model import model_of, own_method
from altsel.models.problem import Problem, checked_problem, chosen, model_of_sets
from altsel.models.rule import title_of
from altsel.models.rules_alone import rules_alone
from altsel.models.simultaneous import formulate_together
from altsel.models.soft_diversity import Diversity, SoftDiversity, differ_softly, differ_softly_from, is_soft
from altsel.models.stated_dissimilarity import differ_by_rule, differ_by_rule_across
from altsel.pyomo_on_demand import pyo
from altsel.runtime.caller import warn_caller


def formulate(
    problem: Problem,
    dissimilarity: Diversity | None = None,
    alternatives: int = 0,
    known: Sequence[Collection[str]] = (),
    total: str | None = None,
    *,
    sets: int | None = None,
    among: Sequence[int] | None = None,
) -> pyo.ConcreteModel:
    """Return the complete Pyomo model of a question: the next set, or all sets together.

    ``maximise Q(s)`` subject to the sizes, the rules and ``d(s, s') >= tau`` for every known set s'; or
    ``maximise sum_i Q(s_i)``, or the minimum, over all sets, which differ from each other too. Any solver of
    Pyomo's may go on with it; `altsel.models.read_sets` reads the sets that it chose.

    Parameters
    ----------
    problem
        What is wanted of every set.
    dissimilarity
        How different sets must be, such as ``Dice(0.5)``; None: as they like.
    alternatives
        Number of sets besides the first.
    known
        Sets that are there already, to differ from.
    total
        ``"sum"`` or ``"min"`` of the qualities of several sets; default: the sum.
    sets, among
        As in 1.0: number of sets, and the indices of the features that may be chosen. They will go.

    Returns
    -------
    pyomo.environ.ConcreteModel
        Blocks ``model.sets[i]`` with the binary variables ``x[name]``, ``size`` and ``quality``; each rule
        has a block of its own within ``model.sets[i].rules``. ``model.total`` is the objective, to be
        maximised. CFS is in its linearised form, whose objective is a bound on the quality; the best set is
        the same for one set and for the minimum. Of a linear fit it holds a row for every set.

    Raises
    ------
    ArgumentError
        If an argument is wrong, a linear fit has too many sets, or a rule is evaluated on sets, as no model
        holds it.

    Examples
    --------
    >>> import altsel
    >>> problem = altsel.Problem(altsel.Univariate({"a": 0.5, "b": 0.4, "c": 0.3}), k=1)
    >>> model = formulate(problem, altsel.Dice(0.5), known=[["a"]])
    >>> altsel.solver("highs")(model).value, altsel.models.read_sets(model)
    (0.4, [('b',)])
    """
    checked_problem(problem)
    alternatives, dissimilarity = _as_in_1_0(dissimilarity, alternatives, sets)
    checked_integer("alternatives", alternatives, 0)
    if dissimilarity is not None:
        _check_dissimilarity(problem, dissimilarity.distance if is_soft(dissimilarity) else dissimilarity)
    known = given_sets("known", known, problem)
    if total not in (None, "sum", "min"):
        raise ArgumentError(f"total={total!r}; use 'sum' or 'min'")
    if known and alternatives and problem.across:
        raise ArgumentError("rules across sets: give known sets, or alternatives to be found, not both")
    if problem.subject_to:
        rules_alone(problem)  # it refuses rules that say something else every time
    model = _stated(problem, dissimilarity, alternatives + 1, known, total or "sum", among)
    _refuse_evaluated(problem, model)
    for block in model.sets.values():
        own_method(problem.objective, "complete", model_of(block), problem.sizes)
    return model


def _check_dissimilarity(problem: Problem, measure: Any) -> None:
    """Refuse what is no dissimilarity, and one that is not what solvers keep of it."""
    refuse_no_dissimilarity(measure)
    if is_own(measure):  # it evaluates rules, which this layer cannot: found when it is called
        own = import_module("altsel.exact.verification.own_dissimilarity")
        own.refuse_wrong_encoding(measure, problem)


def _as_in_1_0(dissimilarity: Any, alternatives: int, sets: int | None) -> tuple[int, Any]:
    """Take the number of sets where it was, in second place or by name."""
    if isinstance(dissimilarity, int) and not isinstance(dissimilarity, bool):
        sets, dissimilarity = dissimilarity, None
    if sets is None:
        return alternatives, dissimilarity
    warn_caller(
        "formulate(problem, sets) is formulate(problem, dissimilarity, alternatives=sets - 1) now",
        DeprecationWarning,
    )
    return sets - 1, dissimilarity


def _stated(
    problem: Problem,
    diversity: Diversity | None,
    count: int,
    known: Sequence[Collection[str]],
    total: str,
    among: Sequence[int] | None,
) -> Any:
    """Build the model of so many sets that differ from each other and from known ones."""
    if diversity is None or is_soft(diversity):
        model = model_of_sets(
            problem.after(known) if count == 1 else problem, count, total=total, among=among
        )
        if diversity is not None:
            _differ_softly(diversity, model, known, problem.sizes)
        return model
    measure: Dissimilarity = diversity  # type: ignore[assignment]
    if share_of(measure) is None:
        stated = differ_by_rule(problem, measure, known) if count == 1 or known else problem
        stated = differ_by_rule_across(stated, measure) if count > 1 else stated
        return model_of_sets(stated, count, total=total, among=among)
    stated = problem.after(known) if count == 1 else problem
    model = formulate_together(stated, measure, count, total, among)
    for block in model.sets.values():
        for one in known:
            differ_from(measure, block, one, problem.sizes)
    return model


def _differ_softly(
    diversity: SoftDiversity, model: Any, known: Sequence[Collection[str]], sizes: tuple[int, int]
) -> None:
    if known and len(model.sets) > 1:
        raise ArgumentError(
            f"{type(diversity).__name__}: give known sets, or alternatives to be found, not both"
        )
    if len(model.sets) > 1:
        differ_softly(diversity, model, sizes)
    else:
        differ_softly_from(diversity, model, known, sizes)


def _refuse_evaluated(problem: Problem, model: Any) -> None:
    """Refuse a rule that says more than its rows: the model would not hold it."""
    evaluated = model.sets[0].__dict__["evaluated"]
    for rule, more in zip(problem.subject_to, evaluated, strict=False):
        if more and not getattr(rule, "rows_suffice", False):
            raise ArgumentError(
                f"rule {title_of(rule)!r} is evaluated on sets, and no model holds it; leave it out, and "
                "exclude the sets that break it by rows"
            )


def read_sets(model: Any) -> list[tuple[str, ...]]:
    """Read the sets that a solver chose from a model that `altsel.formulate` made.

    Parameters
    ----------
    model
        The model, with values on its variables.

    Returns
    -------
    list of tuple of str
        The features of each set, in their order.

    Raises
    ------
    ArgumentError
        If it is another model, or the variables have no values.

    Examples
    --------
    >>> import altsel
    >>> problem = altsel.Problem(altsel.Univariate([3, 2, 1]), k=2)
    >>> model = altsel.formulate(problem, altsel.Dice(0.5), alternatives=1)
    >>> outcome = altsel.solver("highs")(model)
    >>> read_sets(model)
    [('x0', 'x1'), ('x0', 'x2')]
    """
    blocks = getattr(model, "sets", None)
    if not isinstance(blocks, pyo.Block):
        raise ArgumentError(f"model is a {type(model).__name__}; give a model that altsel.formulate made")
    sets = []
    for block in blocks.values():
        if any(x.value is None for x in block.x.values()):
            raise ArgumentError(
                "the variables have no values: solve the model first; if that was done, it has no solution"
            )
        inside = chosen(block)
        sets.append(tuple(f for f in block.x if f in inside))
    return sets
