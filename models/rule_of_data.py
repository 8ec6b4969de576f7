"""Whether a rule that was made of a table is of the one that a criterion was made of."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from altsel.errors import ArgumentError, listing
from altsel.models.objective import Objective


@dataclass(frozen=True)
class Origin:
    """What a rule was made of.

    Attributes
    ----------
    target
        The target that it means; None if that is not known.
    features
        Names of the features it knows; None if that is not known.
    fingerprints
        Of the table, and of those that it was made of by bins; empty if they are not known.
    """

    target: str | None = None
    features: Collection[str] | None = None
    fingerprints: tuple[str, ...] = ()

    @classmethod
    def of(cls, data: object, target: str | None, features: Collection[str] | None) -> Origin:
        """Return the origin of what was made of some data, if any."""
        own = getattr(data, "fingerprint", None)
        known = getattr(data, "fingerprints", () if own is None else (own,))
        return cls(target, None if features is None else frozenset(features), tuple(known))

    def refuse_other(self, title: str, objective: Objective) -> None:
        """Refuse a criterion of another target, of other features, or of another table, as far as both say.

        Raises
        ------
        ArgumentError
            Names the rule and the difference.
        """
        same = "make both of one table"
        if None not in (self.target, objective.target) and self.target != objective.target:
            raise ArgumentError(
                f"{title!r} is about {self.target!r}, and the criterion about {objective.target!r}; {same}"
            )
        absent = [f for f in objective.features if self.features is not None and f not in self.features]
        if absent:
            raise ArgumentError(
                f"{title!r} knows no feature {listing(absent)}, which the criterion has; {same}"
            )
        known = objective.fingerprint
        if known is not None and self.fingerprints and known not in self.fingerprints:
            raise ArgumentError(
                f"{title!r} is of other data than the criterion (another fingerprint); {same}, or the rule "
                "of bins of the criterion's: altsel.data.binned"
            )
