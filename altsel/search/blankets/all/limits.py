"""How far a search for all Markov blankets goes, and which blankets it may return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from altsel.errors import ArgumentError, checked_integer
from altsel.models.rule import Rule
from altsel.search.blankets.limits import Scope


@dataclass(frozen=True)
class Extent:
    """Limits of a search for all Markov blankets, and rules of the domain.

    Parameters
    ----------
    include, exclude
        Features that are in every blanket whatever the tests say, and such that are never looked at.
    max_solutions
        The search ends with ``stop=LIMIT`` when it has so many; None: no limit. There can be
        exponentially many.
    max_states
        Most states of TMFBS, or runs of the learner in TIE*.
    max_tests, max_seconds
        Most tests of independence, and seconds.
    subject_to
        Domain constraints, as for ``Problem``: functions of a block with ``x[name]`` and ``size``.
        Blankets that break them are not returned, and what can lead to none that keeps them is cut;
        like pruning rule 2, whose knowledge it uses, that trusts the search to find a blanket
        wherever there is one.

    Raises
    ------
    ArgumentError
        If a limit is no number of at least 1, or a rule no function.

    Examples
    --------
    >>> Extent(max_solutions=10).scope
    Scope(include=(), exclude=(), max_tests=None, max_seconds=None)
    """

    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    max_solutions: int | None = 1000
    max_states: int | None = None
    max_tests: int | None = None
    max_seconds: float | None = None
    subject_to: Sequence[Rule] = ()

    def __post_init__(self) -> None:
        for name in ("max_solutions", "max_states"):
            if getattr(self, name) is not None:
                checked_integer(name, getattr(self, name), 1)
        rules = (self.subject_to,) if callable(self.subject_to) else tuple(self.subject_to)
        if not all(callable(rule) for rule in rules):
            raise ArgumentError("subject_to takes functions of a block, such as altsel.domain.forbid('age')")
        object.__setattr__(self, "subject_to", rules)
        self.scope  # noqa: B018  (refuses what is wrong at once)

    @property
    def scope(self) -> Scope:
        """The same limits, for one blanket."""
        return Scope(self.include, self.exclude, self.max_tests, self.max_seconds)
