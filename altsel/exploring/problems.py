"""Problems of settings, each with what searches found out of it, so that the next one goes on from there."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextvars import Context, copy_context
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from altsel.data.table_file import toml_value
from altsel.exact.shared_structures import share_structures
from altsel.exploring.criteria import Criteria
from altsel.exploring.rule_parts import rule_parts
from altsel.exploring.settings import Settings
from altsel.exploring.subject import Subject
from altsel.models.dissimilarity import Dice, Jaccard
from altsel.models.problem import Problem
from altsel.models.rule import Across, Rule

P = ParamSpec("P")
T = TypeVar("T")
KEPT = 6
"""Problems that are kept with their lists and proofs, those used last."""


@dataclass(frozen=True, eq=False)
class Kept:
    """A problem, and the context in which its searches share what they find out."""

    problem: Problem
    context: Context

    def run(self, search: Callable[P, T], *given: P.args, **more: P.kwargs) -> T:
        """Call a search of the problem."""
        return self.context.run(search, *given, **more)


class Problems:
    """Makes the problem of settings; that of settings met before is the same one.

    Parameters
    ----------
    subject, criteria
        What is explored, and its criteria.
    """

    def __init__(self, subject: Subject, criteria: Criteria) -> None:
        self._subject, self._criteria = subject, criteria
        self._kept: OrderedDict[str, Kept] = OrderedDict()

    def of(self, settings: Settings) -> Kept:
        """Return the problem.

        Raises
        ------
        ArgumentError, ConfigurationError
            If a name is none, sizes make no sense, or a rule is wrong.
        """
        key = toml_value(
            [settings.objective, settings.measure or "", settings.seed, *settings.sizes, settings.stated]
        )
        kept = self._kept.pop(key, None) or self._made(settings)
        self._kept[key] = kept
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return kept

    def apart(self, settings: Settings) -> Problem:
        """Return the same problem with a rule for each feature and entry, so that a conflict names these."""
        parts = rule_parts(settings.stated)
        rules = [part.rule for part in parts if part.rule is not None]
        return self._stated(settings, rules, [part.across for part in parts if part.across is not None])

    def _stated(self, settings: Settings, rules: Sequence[Rule], across: Sequence[Across]) -> Problem:
        mine = self._subject.problem
        kept, joint = ((), ()) if mine is None else (mine.subject_to, mine.across)
        objective = self._criteria.objective(settings)
        return Problem(objective, settings.k, [*kept, *rules], [*joint, *across])

    def _made(self, settings: Settings) -> Kept:
        read = settings.read_rules()
        problem = self._stated(settings, read.rules(), read.across())
        context = copy_context()
        context.run(share_structures)
        return Kept(problem, context)


def dissimilarity_of(settings: Settings) -> Dice | Jaccard:
    """Return how different sets must be."""
    return (Dice if settings.dissimilarity == "dice" else Jaccard)(settings.tau)
