"""Rules on the model of a set, or of several: each on a block of its own, written as linear rows.

On its block ``x``, ``size`` and ``quality`` stand for those of the set. So no name is reserved, and a rule
may be used any number of times.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from altsel.errors import ArgumentError
from altsel.models.encodings import Rest, encode
from altsel.models.known_set import KnownSet
from altsel.models.predicate import Condition
from altsel.models.returned_conditions import is_inside
from altsel.models.rule import Stated, title_of, unique_name
from altsel.models.rule_statement import own_block, refuse_other_rows, state
from altsel.pyomo_on_demand import expressions, pyo

SETS_TRIED = 4
"""Sets with which a rule across sets is tried: one on pairs or triples says nothing of fewer."""


def impose(block: Any, rules: Sequence[Any], sizes: tuple[int, int]) -> tuple[bool, ...]:
    """Add rules to the block of a set, as linear rows, each on a block of its own within ``block.rules``.

    Parameters
    ----------
    block
        The set's block, with ``x``, ``size`` and, unless it is that of a blanket, ``quality``.
    rules
        Functions of a block, or conditions that are evaluated on sets.
    sizes
        Smallest and largest size of the set.

    Returns
    -------
    tuple of bool
        Which rules say more than the rows: whether they hold is to be evaluated on each set.

    Raises
    ------
    ArgumentError
        If a rule cannot be taken. It names the rule, the row, and what would do.
    """
    if not rules:
        return ()
    host = pyo.Block()
    block.add_component(unique_name(block, "rules"), host)
    block.__dict__["own_rules"] = host
    given = {
        name: getattr(block, name) for name in ("x", "size", "quality") if block.component(name) is not None
    }
    return tuple(_impose_one(host, rule, given | {"sizes": sizes}) for rule in rules)


def _impose_one(host: Any, rule: Any, given: Mapping[str, Any]) -> bool:
    block = own_block(host, rule, given)
    state(rule, block, given["x"].values(), silent=getattr(rule, "may_be_silent", False))
    rest = encode(block, title_of(rule))
    for one in rest:
        if one.curve is None:
            refuse_own_variables(one, block, title_of(rule))
    return bool(rest) or isinstance(rule, Condition)


def refuse_own_variables(rest: Rest, block: Any, title: str) -> None:
    """Refuse a row that is more than linear and has variables of the rule's own.

    Raises
    ------
    ArgumentError
        Names the rule, the row, and what would do.
    """
    own = [
        v for v in expressions.identify_variables(rest.row.body, include_fixed=False) if is_inside(v, block)
    ]
    if own:
        raise ArgumentError(
            f"rule {title!r}, row {rest.row.local_name!r}: {rest.why}; with variables of the rule's own, "
            f"such as {own[0].local_name!r}, a row must be linear, or hold products of one of them, with "
            "bounds, and features; pyo.Piecewise approximates a curve, and altsel.domain.predicate takes any "
            "function of the features"
        )


def refuse_silent_rules(rules: Sequence[Any], features: Sequence[str], sets: int) -> None:
    """Refuse rules across sets that neither return nor add a condition, whatever the number of sets.

    Parameters
    ----------
    rules
        Functions of a block and of the sets.
    features
        Names of all features.
    sets
        Number of sets that are wanted.

    Raises
    ------
    ArgumentError
        Names the rule.
    """
    own = [rule for rule in rules if not isinstance(rule, Stated)]
    if not own:
        return
    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(max(sets, SETS_TRIED)), features, domain=pyo.Binary)
    members = [{f: model.x[i, f] for f in features} for i in range(max(sets, SETS_TRIED))]
    for rule in own:
        first, again = own_block(model, rule, {}), own_block(model, rule, {})
        for block in (first, again):
            state(rule, block, model.x.values(), members)
        refuse_other_rows(rule, first, again)


def impose_across(model: Any, rules: Sequence[Any], sets: Sequence[Mapping[str, Any]]) -> None:
    """Add rules across sets to a model, as linear rows, each on a block of its own in ``model.across``.

    Parameters
    ----------
    model
        The model, or the block of the next set, where the others are known.
    rules
        Functions of a block and of the sets.
    sets
        A variable by name for each set; see `KnownSet` for one that is known.

    Raises
    ------
    ArgumentError
        If a rule cannot be taken. It names the rule.
    """
    if not rules:
        return
    host = pyo.Block()
    model.add_component(unique_name(model, "across"), host)
    model.__dict__["own_rules"] = host
    features = [x for one in sets if not isinstance(one, KnownSet) for x in one.values()]
    for rule in rules:
        block = own_block(host, rule, {})
        state(rule, block, features, list(sets), silent=True)
        rest = encode(block, title_of(rule))
        if rest:
            raise ArgumentError(
                f"rule {title_of(rule)!r}, row {rest[0].row.local_name!r}: {rest[0].why}; a rule across sets "
                "must be linear, or hold products of features"
            )
