"""Options of searches for blankets: on which side of the target members are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

import altsel
from altsel import catalogue
from altsel.errors import ArgumentError


@dataclass(frozen=True)
class SidesOptions:
    """Whether sides are told, and what is known before."""

    sides: Annotated[
        bool,
        typer.Option("--sides", help="Say which members are parents, children, spouses, by which test."),
    ] = False
    tier: Annotated[
        list[str] | None,
        typer.Option(
            help="With --sides: columns that come before those of the next --tier in time, such as sex,age."
        ),
    ] = None
    hidden_causes: Annotated[
        bool,
        typer.Option("--hidden-causes", help="With --sides: allow for common causes that are no columns."),
    ] = False

    def check(self, learner: str | None = None, *, folds: bool = False) -> None:
        """Refuse what goes without, or not with, sides.

        Raises
        ------
        ArgumentError
            Names the option.
        """
        if not self.sides:
            if self.tier or self.hidden_causes:
                given = "--tier" if self.tier else "--hidden-causes"
                raise ArgumentError(f"{given} says something of sides: add --sides")
            return
        if folds:
            raise ArgumentError("--sides are told by one test of all rows: leave out --folds")
        entry = None if learner is None else catalogue.LEARNERS[learner]
        if entry is not None and entry.neighbours:
            raise ArgumentError(
                f"--sides are of a blanket's members, spouses too: --method {learner} finds neighbours only"
            )

    def told(
        self, found: altsel.Solutions, test: altsel.independence.Independence, alpha: float
    ) -> altsel.Solutions:
        """Add sides to every blanket of a search that was not cut short, if they are wanted."""
        if not self.sides or found.stop in {altsel.Stop.TIME, altsel.Stop.INTERRUPT} or not found.sets:
            return found
        tiers = [[name.strip() for name in tier.split(",")] for tier in self.tier or ()]
        known = altsel.blankets.Background(tiers=tiers)
        return altsel.blankets.with_orientation(
            found, test, alpha, background=known, hidden=self.hidden_causes
        )
