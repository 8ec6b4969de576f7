"""Why rules leave no blanket: which of them cannot hold together with which failed removals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from altsel.errors import ArgumentError, listing, of_kind
from altsel.models.rule import Rule, by_unit, title_of
from altsel.results.dual import Dual, needed
from altsel.results.explanation import Explanation
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.results.text import number_of
from altsel.runtime.clock import OutOfTimeError, limited
from altsel.search.alternatives.explain.conflict import smallest_conflict
from altsel.search.blankets.all.admissible import Admission, Within
from altsel.search.blankets.all.collection import INADMISSIBLE
from altsel.search.blankets.limits import Limits

Names = frozenset[str]


def explain(found: Solutions, subject_to: Sequence[Rule], time_limit: float | None = None) -> Explanation:
    """Explain why rules of the domain leave no Markov blanket.

    The conditions (every rule, features forced in and left out, every failed removal, and that a blanket
    contains no other one) are left out one after another, each for good if no set could be a blanket without
    it: what is left cannot hold together, and no part of it can be left out. Smaller conflicts are then
    looked for.

    Parameters
    ----------
    found
        What `tmfbs`, `tie_star` or `best` returned: no set.
    subject_to
        The rules of that search, `Limits.subject_to`.
    time_limit
        Seconds; what is not settled by then is not claimed.

    Returns
    -------
    Explanation
        The conflict, empty if there is none, or the search ended before it was known. A failed removal rests
        on tests; one that they do not confirm says so.

    Raises
    ------
    ArgumentError
        If the rules are not those of the search, or it has no failed removals.

    Examples
    --------
    >>> import numpy as np, altsel
    >>> a, b, noise = np.random.default_rng(0).normal(size=(3, 500))
    >>> data = altsel.Dataset({"a": a, "b": b, "copy": 2 * a}, a + b + noise)
    >>> rules = [altsel.domain.at_most(1, ["a", "b", "copy"]), altsel.domain.implies("a", "copy")]
    >>> test = altsel.independence.PartialCorrelation(data)
    >>> found = altsel.blankets.tmfbs(test, limits=altsel.blankets.Limits(subject_to=rules))
    >>> print(altsel.blankets.explain(found, rules))
    There is no blanket: these conditions cannot hold together:
    - at most 1 of 'a', 'b', 'copy'
    - has 'b', without which no blanket is left
    - has one of 'a', 'copy', without which no blanket is left
    Each of them is needed for the conflict.
    """
    of_kind("found", found, Solutions, "what altsel.blankets.tmfbs, tie_star or best returned")
    rules, dual = Limits(subject_to=subject_to).subject_to, found.dual
    if dual is None or tuple(map(title_of, rules)) != dual.rules:
        raise ArgumentError("found is of another search: give what this one found, and the rules it kept")
    if found.sets:
        return Explanation((), Stop.COUNT, sought=False)
    question = Question(found, dual, by_unit(rules, found.members))
    with limited(time_limit):
        try:
            if question.possible(question.conditions()) is not False:
                return Explanation((), found.stop, sought=False)
            conflict, needed_all, smallest = smallest_conflict(question.conditions(), question.possible)
        except OutOfTimeError:
            return Explanation((), Stop.TIME, sought=False)
    names = tuple(one.name for one in conflict)
    return Explanation(names, Stop.INFEASIBLE, "no blanket", needed_all, smallest, sought=False)


@dataclass(frozen=True, eq=False)
class Condition:
    """One of the conditions on a blanket.

    Attributes
    ----------
    name
        What is shown.
    rules
        A rule of the domain, if it is one.
    met
        A failed removal, of which a feature must be in.
    present, absent
        Features forced in and left out.
    alone
        Whether it is that a blanket contains no other one.
    """

    name: str
    rules: tuple[Rule, ...] = ()
    met: tuple[Names, ...] = ()
    present: Names = frozenset()
    absent: Names = frozenset()
    alone: bool = False


@dataclass
class Question:
    """Which conditions on a blanket can hold together.

    Parameters
    ----------
    found, dual
        What a search found, with its failed removals.
    rules
        The rules that it kept, of units.
    """

    found: Solutions
    dual: Dual
    rules: Sequence[Rule]
    _conditions: list[Condition] = field(default_factory=list, init=False)
    _admissions: dict[tuple[Rule, ...], Admission] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        out = (one for one in self.found.discarded if one.reason == INADMISSIBLE)
        self.known = [frozenset(one.features) for one in out]  # blankets that break a rule

    def conditions(self) -> list[Condition]:
        """Return all conditions; the last ones, of which tests are least sure, are left out first."""
        if not self._conditions:
            self._conditions = list(self._listed())
        return self._conditions

    def _listed(self) -> Iterable[Condition]:
        forced, out = self.dual.forced, frozenset(self.dual.left_out)
        yield from (Condition(title_of(rule), rules=(rule,)) for rule in self.rules)
        if forced:
            yield Condition(f"includes {listing(forced)}", present=frozenset(forced))
        if out:
            yield Condition(f"excludes {listing(self.dual.left_out)}", absent=out)
        if self.known:
            known = number_of(len(self.known), "blanket")
            yield Condition(f"is minimal: contains none of the {known} that break a rule", alone=True)
        for one in sorted(self.dual.failed, key=lambda one: not one.confirmed):
            # What failed without the features left out is that all of these are missing.
            words = needed(one.removed, confirmed=one.confirmed)
            yield Condition(words, met=(out.union(one.removed),))

    def possible(self, conditions: Sequence[Condition]) -> bool | None:
        """Return whether some set could be a blanket and keep some conditions; None if it cannot be told."""
        admission = self._admission(tuple(rule for one in conditions for rule in one.rules))
        within = Within(
            frozenset().union(*(one.absent for one in conditions)),
            frozenset().union(*(one.present for one in conditions)),
            [met for one in conditions for met in one.met],
        )
        if any(within.holds(one) and admission.keeps(one) for one in self.known):
            return True
        alone = any(one.alone for one in conditions)
        some = admission.find(replace(within, avoided=self.known) if alone else within)
        if some is None:
            return False
        return True if admission.keeps(some) else None  # of rules that are functions another one may keep all

    def _admission(self, rules: tuple[Rule, ...]) -> Admission:
        if rules not in self._admissions:
            self._admissions[rules] = Admission(self.found.universe, rules)
        return self._admissions[rules]
