"""Which refusals a user has to expect: those that altsel announces, by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from benchmarks.exactness.rules import Rule

LEGITIMATE: Sequence[str] = (
    "CP-SAT needs bounds on every variable; give them to '",
    "CP-SAT works with integers, and cannot hold row '",
    "CP-SAT works with integers, and cannot hold the objective as such, for '",
)
OUT_OF_RANGE = "no solver tells them apart|Pyomo passes them on unscaled"
"""What is said of numbers that range too widely, as those of some ready-made rules do."""
RESTS_ON_THE_MODEL = ("missing", "yet ", "optimal with", "has bound", "called proved", "is beaten")
"""What is said of sets that are left out: a criterion whose model is wrong may leave them out."""
TINY, NOT_BELIEVED = 1e-6, "the numbers range too widely to believe that"
"""A tau that makes them do so."""
FRACTIONAL = "the solver's answer violates a constraint once its variables are rounded"
"""What is said of an answer of CBC's in which 0/1 variables are fractions."""
BEATEN = "one step from it the formula gives|solver 'cbc' (claims|calls)"
"""What is said of optima of CBC that are none: it calls -1.75 one where -.25 is to be had."""
NO_LIST = "is a black box, and not all sets can be evaluated: rules across sets"
"""What is said of rules across sets that are wanted together."""
"""What CP-SAT may refuse, as texts of messages: it says which variables or row."""


def is_founded(instance: Any, message: str) -> bool:
    """Return whether a refusal is one that the user has to expect."""
    criterion, ready = instance.criterion, any(isinstance(rule, Rule) for rule in instance.rules)
    untaken = [rule.build().__name__ for rule in instance.rules if rule.kind == "not taken"]
    wrong = bool(getattr(criterion, "fault", ""))
    reasons = [
        any(name in message for name in untaken),
        wrong and criterion.build().name in message,
        getattr(instance.diversity, "wrong", False) and "Lenient" in message,
        ready and re.search(OUT_OF_RANGE, message) is not None,
        0 < instance.diversity.tau < TINY and NOT_BELIEVED in message,
        instance.solver != "auto" and "time is up" in message,
        instance.solver == "cbc" and (FRACTIONAL in message or re.search(BEATEN, message) is not None),
        criterion.kind == "black box" and bool(instance.across) and NO_LIST in message,
        instance.solver == "cp-sat" and any(text in message for text in LEGITIMATE),
    ]
    return any(reasons)
