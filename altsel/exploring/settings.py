"""What is set in the explorer: the whole question as plain data, so that a client may keep and undo it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from altsel.catalogue.rules import RulesFile, checked_rules
from altsel.errors import ArgumentError
from altsel.validation import messages

MOST_SETS = 50
"""Alternatives that are looked for at most: more are hard to look at, and near-optimal sets are a list."""
MOST_LISTED = 300
"""Near-optimal sets that a map shows."""


class Settings(BaseModel):
    """The question that is set: criterion, sizes, difference, how many sets, loss, rules, and limits.

    Attributes
    ----------
    objective, measure
        Names of the catalogue; no measure: that which the criterion is defined with.
    smallest, largest
        Features in a set.
    dissimilarity, tau
        How sets differ, and by how much at least.
    alternatives
        Sets besides the best one.
    loss
        What near-optimal sets may lose: a share of the best score, or an amount where its 0 means nothing.
    rules
        As a file of rules has them; see `RulesFile`.
    time_limit
        Seconds for an answer.
    seed
        Seed of measures that are random.

    Examples
    --------
    >>> Settings(tau=0.4).rules, Settings(smallest=3, largest=5).k
    ({}, (3, 5))
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    objective: str = "univariate"
    measure: str | None = None
    smallest: int = Field(default=5, ge=1)
    largest: int = Field(default=5, ge=1)
    dissimilarity: Literal["dice", "jaccard"] = "dice"
    tau: float = Field(default=0.4, ge=0, le=1)
    alternatives: int = Field(default=5, ge=0, le=MOST_SETS)
    loss: float = Field(default=0.05, ge=0)
    rules: dict[str, Any] = {}
    time_limit: float = Field(default=30.0, gt=0, le=3600)
    seed: int = Field(default=0, ge=0)

    @property
    def k(self) -> int | tuple[int, int]:
        """Features in a set, as `altsel.Problem` takes them."""
        return self.smallest if self.smallest == self.largest else (self.smallest, self.largest)

    @property
    def sizes(self) -> tuple[int, int]:
        """Least and most features in a set."""
        return self.smallest, self.largest

    @property
    def stated(self) -> dict[str, Any]:
        """The rules, without keys that hold nothing."""
        return {name: value for name, value in self.rules.items() if value not in ([], None)}

    def read_rules(self) -> RulesFile:
        """Return the rules, checked.

        Raises
        ------
        ConfigurationError
            If there is an unknown key or a wrong value.
        """
        return checked_rules(self.stated, "rules")


def checked_settings(plain: object) -> Settings:
    """Return settings of plain data.

    Raises
    ------
    ArgumentError
        If there is an unknown key or a wrong value; all faults are reported at once, each with its key.

    Examples
    --------
    >>> checked_settings({"tau": 2})
    Traceback (most recent call last):
    altsel.errors.ArgumentError: settings: tau: must be at most 1.0, not 2
    """
    if not isinstance(plain, Mapping):
        raise ArgumentError("settings are no table of names and values")
    try:
        return Settings.model_validate(plain)
    except ValidationError as fault:
        raise ArgumentError(f"settings: {'; '.join(messages(fault, [*Settings.model_fields]))}") from fault
