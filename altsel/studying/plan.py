"""The plan of a study: what is decided before the data are looked at, in a file that can be edited."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from altsel.catalogue import LEARNERS, MEASURES, OBJECTIVES, EstimatorName
from altsel.data.dataset import Dataset
from altsel.data.schema import Kind
from altsel.data.table_file import read_toml, toml_value
from altsel.errors import ArgumentError, ConfigurationError, checked_path, did_you_mean, listing
from altsel.results.text import number_of
from altsel.stats.row_losses import LOSSES, OF_CLASSES, OF_NUMBERS
from altsel.validation import messages

Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, lt=1)]
Level = Annotated[float, Field(gt=0, lt=1)]
COMMENTS = {
    "seed": "of everything random",
    "holdout": "share of the rows kept apart and judged once, at the end; 0: none",
    "folds": "of the cross-validation in which everything is chosen",
    "loss": f"{listing(OF_CLASSES)} for classes; {listing(OF_NUMBERS)} for numbers",
    "criteria": "criteria of sets, each with every measure and size",
    "measures": "of dependence",
    "sizes": "features of a set",
    "learners": "searches for a Markov blanket, each with every alpha",
    "alpha": "level of their tests of independence",
    "models": f"{listing(EstimatorName)}",
    "bootstrap": "resamples that correct the best loss for the choice",
    "confidence": "of all intervals of losses",
    "alternatives": "sets wanted besides the best one",
    "tau": "least dissimilarities (Dice) that are tried for them",
    "stability": "halves of the rows on which the search is repeated; 0: none",
    "level": "share of false discoveries; 0: none are looked for",
    "draws": "of knockoffs",
    "certificate": "whether proofs are written for a program without altsel",
}


class Plan(BaseModel):
    """What a study does; see the comments of its file.

    Attributes
    ----------
    seed, holdout, folds, loss, criteria, measures, sizes, learners, alpha, models, bootstrap, confidence, \
    alternatives, tau, stability, level, draws, certificate
        As `COMMENTS` says.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    seed: Count = 0
    holdout: Share = 0.2
    folds: Annotated[int, Field(ge=2)] = 10
    loss: str | None = None
    criteria: list[str] = ["univariate", "mrmr"]
    measures: list[str] = ["association", "mutual-information"]
    sizes: list[Annotated[int, Field(ge=1)]] = [4, 10]
    learners: list[str] = ["fbed"]
    alpha: list[Level] = [0.01, 0.1]
    models: Annotated[list[str], Field(min_length=1)] = ["linear", "forest"]
    bootstrap: Annotated[int, Field(ge=100)] = 1000
    confidence: Level = 0.95
    alternatives: Count = 2
    tau: list[Annotated[float, Field(gt=0, le=1)]] = [0.25, 0.5]
    stability: Count = 50
    level: Share = 0.1
    draws: Annotated[int, Field(ge=1)] = 20
    certificate: bool = True

    def text(self) -> str:
        """Write it as TOML, each key with what it means.

        Examples
        --------
        >>> Plan(folds=5).text().splitlines()[3]
        'folds = 5  # of the cross-validation in which everything is chosen'
        """
        given = self.model_dump(exclude_none=True)
        lines = [f"{name} = {toml_value(value)}  # {COMMENTS[name]}" for name, value in given.items()]
        return "\n".join(
            ["# Plan of a study by altsel: edit it, then altsel study DATA --plan FILE", *lines, ""]
        )

    def for_data(self, data: Dataset) -> Plan:
        """Return the plan with what only the data tell: the loss, and sizes of less than all features.

        Raises
        ------
        ConfigurationError
            If the plan does not fit the target.
        DataError
            If a class has fewer rows than there are folds.
        """
        usual = OF_CLASSES if data.discrete_target else OF_NUMBERS
        if self.loss is not None and self.loss not in usual:
            held = "classes" if data.discrete_target else "numbers"
            raise ConfigurationError(
                f"plan: loss {self.loss!r} is none of a target that holds {held}: use {listing(usual)}"
            )
        sizes = sorted({min(size, max(1, len(data.features) - 1)) for size in self.sizes})
        return self.model_copy(update={"loss": self.loss or usual[0], "sizes": sizes})

    @property
    def loss_name(self) -> str:
        """The loss that choices are made by."""
        assert self.loss is not None  # of a plan for data
        return self.loss


def read_plan(given: Plan | Mapping[str, Any] | str | Path | None) -> Plan:
    """Return a plan from its keys, or from a TOML file that holds them.

    Raises
    ------
    ConfigurationError
        If the file cannot be read or is no TOML, or holds an unknown key, name or value; all faults are
        reported at once, each with its key.
    """
    if isinstance(given, Plan):
        return given
    if given is None or isinstance(given, Mapping):
        return _checked(given or {}, "plan")
    path = checked_path("plan", given)
    return _checked(read_toml(path, "altsel study FILE --target COLUMN --write-plan"), str(path))


def _checked(plain: Mapping[str, Any], source: str) -> Plan:
    keys = [*Plan.model_fields]
    if not all(isinstance(key, str) for key in plain):
        raise ConfigurationError(f"{source}: keys must be texts; there are {listing(keys, len(keys))}")
    unknown = [f"{key}: unknown key{_fix(key, keys)}" for key in plain if key not in keys]
    try:
        plan = Plan.model_validate({key: value for key, value in plain.items() if key in keys})
    except ValidationError as fault:
        raise ConfigurationError(f"{source}: {'; '.join([*unknown, *messages(fault)])}") from fault
    wrong = [*unknown, *_unknown_names(plan)]
    if wrong:
        raise ConfigurationError(f"{source}: {'; '.join(wrong)}")
    return plan


def _unknown_names(plan: Plan) -> list[str]:
    """Return what names stand for nothing, and what does not go together, one text a fault."""
    wrong = []
    for key, names in (
        ("criteria", [*OBJECTIVES]),
        ("measures", [*MEASURES]),
        ("learners", [*LEARNERS]),
        ("models", [*map(str, EstimatorName)]),
        ("loss", [*LOSSES]),
    ):
        given = getattr(plan, key) or ()
        for name in [given] if isinstance(given, str) else given:
            if name not in names:
                wrong.append(f"{key}: there is no {name!r}{_fix(name, names)}")
    if plan.criteria and not plan.sizes:
        wrong.append("sizes: criteria need sizes: give one, or criteria = []")
    if plan.learners and not plan.alpha:
        wrong.append("alpha: learners need levels of their tests: give one, or learners = []")
    if not plan.criteria and not plan.learners:
        wrong.append("criteria: nothing selects features: give a criterion, or a learner")
    if plan.alternatives and not plan.tau:
        wrong.append("tau: alternatives need a least dissimilarity: give one, or alternatives = 0")
    if plan.stability == 1:
        wrong.append("stability: must be 0, or at least 2 repeats, not 1")
    return wrong


def _fix(name: str, names: Collection[str]) -> str:
    return did_you_mean(name, names) or f"; there are {listing(names, len(names))}"


def refuse_data(data: Dataset, plan: Plan) -> None:
    """Refuse targets that a study would not treat as what they are, and tables with too few rows.

    Raises
    ------
    ArgumentError
        Names the target, and what to do.
    """
    kind = data.declared_kinds.get(data.target)
    if kind in {Kind.ORDINAL, Kind.COUNT}:
        raise ArgumentError(
            f"study: the target {data.target!r} is declared {kind}; a study takes classes without an order "
            "and numbers: leave the kind out, or use altsel select --objective "
            f"{'ordinal' if kind is Kind.ORDINAL else 'poisson'}-fit"
        )
    if data.members:
        raise ArgumentError("study: the data are grouped; give them as they are, a study selects columns")
    rows = len(data.y) * (1 - plan.holdout)
    if data.discrete_target:
        counts = data.y.value_counts()
        least = int(counts.min() * (1 - plan.holdout))
        if least < plan.folds:
            raise ArgumentError(
                f"study: class {counts.idxmin()!r} of {data.target!r} has "
                f"{number_of(int(counts.min()), 'row')}, too few for {plan.folds} folds"
                f"{' and a hold-out' if plan.holdout else ''}: leave it out, join classes, or lower folds or "
                "holdout in the plan"
            )
    elif rows < 2 * plan.folds:
        raise ArgumentError(
            f"study: {number_of(len(data.y), 'row')} are too few for {plan.folds} folds: lower folds or "
            "holdout in the plan"
        )
