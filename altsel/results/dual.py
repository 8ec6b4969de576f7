"""The dual of a family of Markov blankets: the removals after which none is left, and what they prove."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from altsel.display.renderers import renderer
from altsel.errors import listing
from altsel.results.text import number_of

CONFIDENCE = 0.95
"""Of what draws tell."""


class Evidence(StrEnum):
    """Why a removal counts as failed.

    ``NEEDED``: a removed feature tells something of the target given all others, so no set of these is a
    blanket. ``NOT_EQUIVALENT``: the set that was left makes all others superfluous, and is not equivalent to
    the reference. ``UNCONFIRMED``: a search found no equivalent set; tests do not confirm that there is none.

    Examples
    --------
    >>> [one.value for one in Evidence]
    ['needed', 'not equivalent', 'not confirmed']
    """

    NEEDED = "needed"
    NOT_EQUIVALENT = "not equivalent"
    UNCONFIRMED = "not confirmed"


@dataclass(frozen=True)
class FailedRemoval:
    """Features after whose removal a search found no blanket: every blanket has one of them.

    Attributes
    ----------
    removed
        The features.
    left
        The set that the search ended with without them.
    evidence
        Why there is no blanket without them.
    feature, log_p
        The removed feature that tells most given all others, and the logarithm of its p; None if no test
        was made.

    Examples
    --------
    >>> FailedRemoval(("a", "copy of a"), ("b",), Evidence.NEEDED, "a", -20.0).confirmed
    True
    """

    removed: tuple[str, ...]
    left: tuple[str, ...] = ()
    evidence: Evidence = Evidence.UNCONFIRMED
    feature: str | None = None
    log_p: float | None = None

    @property
    def confirmed(self) -> bool:
        """Whether tests confirm that there is no blanket without these features."""
        return self.evidence is not Evidence.UNCONFIRMED


@dataclass(frozen=True, repr=False)
class Dual:
    """What proves that a family of blankets is complete, and what was done to refute it.

    The minimal removals after which no blanket is left are the dual of the family: blankets are exactly the
    minimal sets that have a feature of each. If no admissible set has a feature of each failed removal, and
    contains none of the blankets found, there is no other blanket.

    Attributes
    ----------
    failed
        The failed removals; none contains another.
    complete
        Whether a solver proved that no other admissible set has a feature of each.
    reference_confirmed
        Whether tests confirm that the reference makes all other features superfluous.
    missed
        Blankets that the search had not found, and the proof, or an attempt to refute it, did.
    withdrawn
        Removals that counted as failed until a blanket was found without them.
    nested
        Blankets that contain another one: then tests contradict each other.
    attempts
        Random removals and restarts that were tried, to refute the claim.
    tests, solves
        What proof and attempts cost; part of the effort of the search.
    forced, left_out
        Features that are in every blanket because the search was told so, and features that it left out.
    rules
        Rules of the domain that the search kept: the failed removals are then those met on the way, and
        prove that no other *admissible* set is a blanket.
    draws, runs
        Minimal sets with a feature of each failed removal that were drawn in a row, and all were blankets;
        and how many such rows were begun. 0: none was drawn.
    uniform
        Whether each of these sets was drawn with the same probability; else by leaving out features in an
        order at random, and what draws tell is of such sets.

    Examples
    --------
    >>> dual = Dual((FailedRemoval(("a", "b"), (), Evidence.NEEDED, "a", -9.0),), complete=True)
    >>> dual, dual.doubts(), Dual((FailedRemoval(("a",)),), complete=False).doubts()
    (<Dual: 1 failed removal, complete>, [], ['1 of 1 failed removal is not confirmed by tests'])
    """

    failed: tuple[FailedRemoval, ...]
    complete: bool
    reference_confirmed: bool = True
    missed: int = 0
    withdrawn: int = 0
    nested: int = 0
    attempts: int = 0
    tests: int = 0
    solves: int = 0
    forced: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    draws: int = 0
    runs: int = 0
    uniform: bool = True

    def most_wrong(self) -> float | None:
        """Return the share of sets that could be no blankets, as draws tell with 95 % confidence.

        If a share q are none, n draws in a row are all blankets with probability ``(1 - q)^n``. The level of
        run r is ``.05 / (r (r + 1))``, so that over all runs, however many there are, it is .05.

        Returns
        -------
        float or None
            0 if all are proved; None if nothing was drawn.

        Examples
        --------
        >>> round(Dual((), False, draws=299, runs=1).most_wrong(), 4)
        0.0123
        """
        if self.complete:
            return 0.0
        level = 1 - CONFIDENCE
        return 1 - (level / (self.runs * (self.runs + 1))) ** (1 / self.draws) if self.draws else None

    def draws_text(self) -> str:
        """Describe what draws tell; nothing if there were none.

        Examples
        --------
        >>> Dual((), False, draws=299, runs=1).draws_text()
        '299 sets drawn are blankets: less than 1.2 % of all are none (95 % confidence)'
        """
        most = self.most_wrong()
        if not self.draws or most is None:
            return ""
        of_all = "all" if self.uniform else "those drawn so, not each with the same probability,"
        share = f"less than {100 * most:.2g} % of {of_all} are none ({100 * CONFIDENCE:.0f} % confidence)"
        return f"{number_of(self.draws, 'set')} drawn are blankets: {share}"

    def doubts(self) -> list[str]:
        """Describe what casts doubt on the proof; nothing if all is well.

        Tests do not confirm that the reference makes all else superfluous, or that a removal leaves none;
        attempts to refute the proof found blankets; sets found contain one another. With any doubt a search
        ends as ``heuristic``: the proof holds as far as the failed removals do.
        """
        unsure = sum(not one.confirmed for one in self.failed)
        removals = number_of(len(self.failed), "failed removal")
        verb = "is" if unsure == 1 else "are"
        doubts = [
            (not self.reference_confirmed, "tests do not confirm that the reference is a blanket"),
            (unsure > 0, f"{unsure} of {removals} {verb} not confirmed by tests"),
            (self.missed > 0, f"{number_of(self.missed, 'blanket')} had been missed"),
            (self.nested > 0, f"{number_of(self.nested, 'set')} found contain another one"),
            (self.withdrawn > 0, f"blankets were found after {number_of(self.withdrawn, 'failed removal')}"),
        ]
        return [words for doubtful, words in doubts if doubtful]

    def title(self) -> str:
        """Report in one line how many failed removals there are, and what they prove."""
        proved = "complete" if self.complete else "not complete"
        doubts = self.doubts()
        doubtful = f", {number_of(len(doubts), 'doubt')}" if doubts else ""
        return f"{number_of(len(self.failed), 'failed removal')}, {proved}{doubtful}"

    def __repr__(self) -> str:
        return f"<Dual: {self.title()}>"

    def __str__(self) -> str:
        return str(renderer("text", self)(self))

    def _repr_html_(self) -> str:
        return str(renderer("html", self)(self))


def needed(removal: Sequence[str], *, confirmed: bool = True) -> str:
    """Describe what a failed removal demands of a set that is to hold a blanket.

    Examples
    --------
    >>> needed(["a"]), needed(["a", "b"])
    ("has 'a', without which no blanket is left", "has one of 'a', 'b', without which no blanket is left")
    """
    some = "" if len(removal) == 1 else "one of "
    doubt = "" if confirmed else " (tests do not confirm it)"
    return f"has {some}{listing(removal, len(removal))}, without which no blanket is left{doubt}"


def minimal(sets: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """Return the sets that contain no other one, the smallest first, each once.

    Examples
    --------
    >>> [sorted(one) for one in minimal([frozenset("ab"), frozenset("a"), frozenset("bc")])]
    [['a'], ['b', 'c']]
    """
    kept: list[frozenset[str]] = []
    for one in sorted(dict.fromkeys(sets), key=len):
        if not any(other <= one for other in kept):
            kept.append(one)
    return kept
