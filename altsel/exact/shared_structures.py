"""What searches share that one call makes of the same problem: its lists, and what was proved of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from altsel.exact.question import Structure
from altsel.exact.verification.declared_abilities import check_second
from altsel.models.criterion_rule import CriterionRule
from altsel.models.declarations import check_forms
from altsel.models.objective import is_own
from altsel.models.problem import Problem

_shared: ContextVar[dict[int, Structure] | None] = ContextVar("structures", default=None)


@contextmanager
def shared_structures() -> Iterator[None]:
    """Let all searches within share what they find out of a problem."""
    token = _shared.set({} if _shared.get() is None else _shared.get())
    try:
        yield
    finally:
        _shared.reset(token)


def share_structures() -> None:
    """Let all searches of a context share, for as long as that lasts: see `contextvars.Context.run`."""
    _shared.set({})


def structure_of(problem: Problem) -> Structure:
    """Return what is known of a problem: what searches share, or nothing yet.

    Raises
    ------
    ArgumentError, DataError
        If the quadratic forms of a criterion of the user's own cannot be used, or what a second one declares
        is not its formula.
    """
    known = _shared.get()
    if known is not None and id(problem) in known:
        return known[id(problem)]
    if is_own(problem.objective):
        check_forms(problem.objective, problem.sizes)
    for rule in problem.subject_to:
        if isinstance(rule, CriterionRule) and is_own(rule.objective):
            check_second(rule.objective, problem.sizes)
    if known is None:
        return Structure(problem)
    known[id(problem)] = Structure(problem)  # keeps the problem, and so its number
    known[id(problem)].kept.setdefault(shared_structures, {})
    return known[id(problem)]
