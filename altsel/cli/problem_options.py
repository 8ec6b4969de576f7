"""Options that say what is wanted of every set, and how sets are searched."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from altsel import catalogue
from altsel.catalogue import MEASURES, OBJECTIVES, SearchName, Total
from altsel.cli.entry_names import entry_option
from altsel.cli.options import (
    Alike,
    Alternatives,
    DissimilarityOption,
    Event,
    Expand,
    FeatureFile,
    FitWeights,
    FoundTau,
    Given,
    Normalize,
    Offset,
    OnAverage,
    OwnOption,
    Penalty,
    Ridge,
    RulesFile,
    Search,
    Seed,
    SolverText,
    Summed,
    Threads,
    Within,
    WithinAbsolute,
)
from altsel.cli.problem_factory import ProblemFactory
from altsel.cli.rules_file import read_rules
from altsel.errors import ArgumentError
from altsel.exact.solver_text import solver_of, with_settings
from altsel.models.dissimilarity import Dissimilarity
from altsel.solvers import Solver

ALTERNATIVES = 5
"""Sets besides the best one, where alternatives are wanted and nobody says how many."""


@dataclass(frozen=True)
class ProblemOptions:
    """What is wanted of every set."""

    k: Annotated[
        str | None,
        typer.Option(
            "-k",
            help="Features in a set: 5, or 3:5 for three to five. Default: what the criterion tells.",
        ),
    ] = None
    dissimilarity: DissimilarityOption = "dice"
    feature_file: FeatureFile = None
    alike: Alike = None
    measure: Annotated[
        str | None,
        entry_option(
            MEASURES,
            text="Dependence of features on the target and each other; association: of columns of any kinds, "
            "many levels gain nothing. Default: symmetric-uncertainty for fcbf, else "
            "association; fits of models take none.",
        ),
    ] = None
    objective: Annotated[
        str,
        entry_option(
            OBJECTIVES,
            text="What makes a set good; mrmr-k2: mRMR as printed, with the diagonal; linear-fit: "
            "R2 of least squares; logistic-fit (multinomial-, poisson-, cox-, ordinal-): share of the "
            "deviance that a regularised model explains; -aic, -bic and such: less a price, for free sizes.",
        ),
    ] = "univariate"
    ridge: Ridge = None
    weights: FitWeights = None
    given: Given = None
    offset: Offset = None
    event: Event = None
    expand: Expand = None
    rules: RulesFile = None
    explain_defaults: Annotated[
        bool,
        typer.Option("--explain-defaults", help="Say what was chosen for missing options, and why."),
    ] = False
    seed: Seed = 0

    @property
    def dissimilar_by(self) -> catalogue.DissimilarityFactory:
        """What makes the dissimilarity, with a threshold, for a table."""
        return catalogue.DissimilarityFactory(self.dissimilarity, self.feature_file, self.alike)

    def factory(self, normalize: bool = False) -> ProblemFactory:
        """Check all that can be checked before a table is read."""
        fit = catalogue.FitOptions.of(vars(self))
        make = catalogue.objective_factory(self.objective, self.measure, self.seed, normalize, fit)
        slow = self.measure is not None and MEASURES[self.measure].slow
        by = None if slow else catalogue.measure_for(self.objective, self.measure, self.seed)
        sizes = None if self.k is None else catalogue.sizes(self.k)
        return ProblemFactory(make, by, sizes, read_rules(self.rules))


@dataclass(frozen=True)
class SolverOptions:
    """A solver, and its settings."""

    solver: SolverText = "auto"
    threads: Threads = None
    option: OwnOption = None

    def made(self, seed: int, file: Path | None = None, trusted: bool = True) -> Solver:
        """Build the solver, with the seed if it takes one. See `solver_of` for what is trusted."""
        text = with_settings(self.solver, settings(self.threads, self.option))
        return solver_of(text, seed, file, trusted)


def settings(threads: int | None, options: list[str] | None) -> list[str]:
    """Return settings of a solver as its text has them."""
    return [*(() if threads is None else (f"threads={threads}",)), *(options or ())]


@dataclass(frozen=True)
class SearchOptions(SolverOptions):
    """How sets are searched, and how different they must be."""

    alternatives: Alternatives = None
    tau: FoundTau = None
    normalize: Normalize = False
    search: Search = SearchName.SEQUENTIAL
    total: Summed = Total.SUM
    within: Within = None
    within_absolute: WithinAbsolute = None
    average: OnAverage = False
    penalty: Penalty = None

    @property
    def wanted(self) -> int:
        """The number of alternatives: none unless something about them is given."""
        if self.alternatives is not None:
            return self.alternatives
        about_them = self.tau is not None or self.penalty is not None or self.average
        return ALTERNATIVES if about_them or self.search is not SearchName.SEQUENTIAL else 0

    @property
    def finds_tau(self) -> bool:
        """Whether tau is to be found: the largest at which alternatives lose little."""
        one_by_one = self.search is SearchName.SEQUENTIAL and self.penalty is None and not self.average
        return self.tau is None and one_by_one and self.wanted > 0

    @property
    def loss(self) -> Any:
        """What may be lost of the best quality."""
        told = {"--within": self.within, "--within-absolute": self.within_absolute}
        used = [name for name, value in told.items() if value is not None]
        if used and self.search is not SearchName.MOST_DIFFERENT:
            raise ArgumentError(
                f"{used[0]} bounds what --search most-different may lose, and goes with no other search; "
                "all sets within a share of the best: altsel near-optimal"
            )
        return catalogue.loss(self.within, self.within_absolute)

    def diversity(self, measured: Dissimilarity) -> Any:
        """Return how different sets must be by a dissimilarity."""
        return catalogue.diversity(measured, self.average, self.penalty)
