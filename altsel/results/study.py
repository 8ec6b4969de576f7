"""What a study found: what was tried, the corrected loss of the best, and what may be claimed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from altsel.display.renderers import renderer
from altsel.errors import DataError
from altsel.results.base import Readable, Result
from altsel.results.discoveries import Discoveries
from altsel.results.equivalence import Equivalence
from altsel.results.estimate import Estimate
from altsel.results.performance import Performance
from altsel.results.reading import read_json
from altsel.results.solutions import Solutions
from altsel.results.stability import Stability
from altsel.results.text import number_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Tried:
    """One configuration: what selects features, and the model that predicts by them.

    Attributes
    ----------
    name
        It in words.
    features
        How many features it selects, in the mean over the folds.
    loss
        Its mean loss out of fold; of the best of all too small, as it is the best.
    chosen
        Share of the bootstrap resamples in which it has the least loss.

    Examples
    --------
    >>> Tried("mrmr by association, k = 3; linear model", 3.0, 0.18, 0.4).loss
    0.18
    """

    name: str
    features: float
    loss: float
    chosen: float


@dataclass(frozen=True)
class TriedTau:
    """A least dissimilarity of alternatives, and what it costs out of fold.

    Attributes
    ----------
    tau
        The dissimilarity (Dice).
    added
        Mean loss of the alternatives less that of the best set; None where a fold has not as many.
    error
        Standard error of it over the rows.

    Examples
    --------
    >>> TriedTau(0.5, 0.01, 0.02).added
    0.01
    """

    tau: float
    added: float | None
    error: float | None

    @property
    def near(self) -> bool:
        """Whether it costs at most a standard error."""
        return self.added is not None and self.error is not None and self.added <= self.error


@dataclass(frozen=True)
class Study(Readable):
    """What a study found, and what may be claimed of it.

    Attributes
    ----------
    target, rows, holdout
        Name of the target, rows that were learned from, rows that were kept apart.
    loss
        The loss that choices are made by, in words.
    tried
        All configurations, the simplest first.
    best
        Index of the one with the least loss.
    shown
        Index of the best one that selects features: its sets are in `found`.
    corrected
        Loss of the best, corrected for being the best.
    corrected_shown
        The same where only configurations that select features compete.
    gain
        What no features lose more than the best, corrected too.
    beside
        Other losses of the best, corrected too, by their names in words.
    judged, judged_shown
        Loss of the best, and of set 0, on the rows kept apart; None if there are none.
    tau, taus
        The least dissimilarity of alternatives that was chosen, and all that were tried; None and none for
        blankets, which differ as they do.
    claims
        What was shown, a sentence each.
    looked
        What is odd about the table, a sentence each.
    found
        The sets of all rows learned from.
    performance, equivalence, stability, discoveries
        What was measured of them.
    plan, data, versions
        The plan, fingerprint of the data, and what produced it.
    seed
        Seed of everything random.

    Examples
    --------
    >>> import numpy as np
    >>> import altsel
    >>> x = np.random.default_rng(0).normal(size=(60, 3))
    >>> plan = {"models": ["linear"], "folds": 2, "sizes": [1], "criteria": ["univariate"], "learners": []}
    >>> less = {"alternatives": 0, "stability": 0, "level": 0.0, "certificate": False}
    >>> done = altsel.study(altsel.Dataset(x, x[:, 0] + 0.1 * x[:, 1]), plan=plan | less)
    >>> done.found[0].features, done.optimism > -0.01
    (('x0',), True)
    """

    target: str
    rows: int
    holdout: int
    loss: str
    tried: tuple[Tried, ...]
    best: int
    shown: int
    corrected: Estimate
    corrected_shown: Estimate
    gain: Estimate
    beside: Mapping[str, Estimate]
    judged: Estimate | None
    judged_shown: Estimate | None
    tau: float | None
    taus: tuple[TriedTau, ...]
    claims: tuple[str, ...]
    looked: tuple[str, ...]
    found: Solutions
    performance: Performance
    equivalence: Equivalence | None
    stability: Stability | None
    discoveries: Discoveries | None
    plan: Mapping[str, Any] = field(default_factory=dict)
    data: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    _called = "a study"

    @property
    def optimism(self) -> float:
        """How much too small the loss of the best is, as it is the best: corrected less uncorrected."""
        return self.corrected.value - self.tried[self.best].loss

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the configurations: name, features, loss, chosen; the least loss first."""
        import pandas as pd  # noqa: PLC0415  (heavy)

        table = pd.DataFrame([vars(one) for one in self.tried])
        return table.sort_values("loss", kind="stable", ignore_index=True)

    def _plain(self) -> dict[str, Any]:
        """Return what is written; parts as they write themselves."""
        return {
            name: dict(value._plain()) if isinstance(value, Result) else plain_of(value)
            for name, value in vars(self).items()
        }

    @classmethod
    def _read(cls, text: str) -> Self:
        found = read_json(cls, text, cls._called)
        plain = json.loads(text)
        for name, kind in PARTS.items():  # what must fit together in a part
            if plain.get(name) is not None:
                try:
                    kind.from_json(json.dumps(plain[name]))
                except DataError as fault:
                    raise DataError(f"not the JSON of {cls._called}: {name}: {fault}") from fault
        for name in ("best", "shown"):
            if not 0 <= getattr(found, name) < len(found.tried):
                tried = number_of(len(found.tried), "configuration")
                raise DataError(f"not the JSON of {cls._called}: {name}: there are {tried}")
        return found

    def __repr__(self) -> str:
        tried = number_of(len(self.tried), "configuration")
        return f"<Study: {tried}, target {self.target!r}, {self.loss} {self.corrected}>"

    def __str__(self) -> str:
        return str(renderer("text", self)(self))


PARTS: Mapping[str, type[Readable]] = {
    "found": Solutions,
    "performance": Performance,
    "stability": Stability,
    "discoveries": Discoveries,
}
"""Results in a study that are read back by themselves, too, by its attributes."""


def plain_of(value: Any) -> Any:
    """Return dataclasses as dictionaries, tuples as lists."""
    if isinstance(value, (tuple, list)):
        return [plain_of(one) for one in value]
    if isinstance(value, Mapping):
        return {name: plain_of(one) for name, one in value.items()}
    if hasattr(value, "__dataclass_fields__"):
        return {name: plain_of(one) for name, one in vars(value).items()}
    return value
