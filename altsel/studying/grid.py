"""The configurations that a plan tries: what selects features, and which model predicts by them."""

from __future__ import annotations

from dataclasses import dataclass

from altsel.studying.plan import Plan
from altsel.studying.selections import Nothing, Selection, selections


@dataclass(frozen=True)
class Configuration:
    """What selects features, and the model that predicts by them; no model where none is needed."""

    selection: Selection
    model: str | None

    @property
    def name(self) -> str:
        """It in words."""
        return self.selection.name if self.model is None else f"{self.selection.name}; {self.model} model"


def configurations(plan: Plan) -> tuple[Configuration, ...]:
    """Return all that a plan tries, the simplest first.

    Examples
    --------
    >>> tried = configurations(Plan(criteria=["mrmr"], measures=["association"], sizes=[4], learners=[]))
    >>> [one.name for one in tried][:3]
    ['no features', 'mrmr by association, k = 4; linear model', 'mrmr by association, k = 4; forest model']
    """
    tried: list[Configuration] = []
    for selection in selections(plan):
        if isinstance(selection, Nothing):
            tried.append(Configuration(selection, None))
        else:
            tried += [Configuration(selection, model) for model in plan.models]
    return tuple(tried)
