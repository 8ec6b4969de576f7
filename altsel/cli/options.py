"""Options that several commands share, in groups; see `altsel.cli.groups`."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

import altsel
from altsel import catalogue
from altsel.catalogue import (
    DissimilarityName,
    EstimatorName,
    IndependenceName,
    KnockoffName,
    MeasureName,
    ObjectiveName,
    SearchName,
    Total,
)
from altsel.cli.output import Format, form_for
from altsel.cli.problem_factory import ProblemFactory
from altsel.cli.rules_file import read_rules
from altsel.data.scanning import Scan
from altsel.errors import ArgumentError, listing
from altsel.exact.solver_text import solver_of, with_settings
from altsel.models.dissimilarity import Dissimilarity
from altsel.runtime.clock import Clock
from altsel.solvers import Solver
from altsel.stats.independence.predictive.parts import Scheme


def penalty_of(text: str) -> float:
    """Read the penalty of similar sets; point to the criterion where a price of features is meant."""
    try:
        return float(text)
    except ValueError as fault:
        priced = f"linear-fit-{text.lower()}"
        hint = f"; its price is --objective {priced}" if priced in {*ObjectiveName} else ""
        raise typer.BadParameter(f"{text!r} is no number, that of similar sets{hint}") from fault


Tau = Annotated[float, typer.Option(help="Smallest dissimilarity: 0 (may repeat) to 1 (no common feature).")]
FoundTau = Annotated[
    float | None,
    typer.Option(
        help="Smallest dissimilarity: 0 (may repeat) to 1 (no common feature). Default: the largest at which "
        "no alternative loses more than 5 %; .5 for several sets at once."
    ),
]
Ridge = Annotated[
    float,
    typer.Option(help="Ridge penalty of linear-fit, columns of length 1; 0: least squares."),
]
FitWeights = Annotated[str | None, typer.Option(help="Column of row weights of linear-fit; no feature then.")]
Given = Annotated[
    list[str] | None,
    typer.Option(help="Column that is in every model of linear-fit, besides the k; repeat for more."),
]
Normalize = Annotated[bool, typer.Option("--normalize", help="Scale relevances to sum 1.")]
Within = Annotated[
    float | None, typer.Option(help="Share of the best quality that may be lost: 0.05 is 5 %, the default.")
]
WithinAbsolute = Annotated[
    float | None, typer.Option(help="Quality that may be lost, in its unit; for AIC, BIC and Cp, say 2.")
]
Summed = Annotated[Total, typer.Option(help="What a simultaneous search maximises.")]
SolverText = Annotated[
    str,
    typer.Option(
        help="auto, or a profile of solvers.toml (see 'altsel solvers'); with settings: highs:presolve=off."
    ),
]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads of the solver. Default: the profile's, 1.")]
OwnOption = Annotated[
    list[str] | None, typer.Option(help="Option of the solver's own, as presolve=off; repeat for more.")
]
Jobs = Annotated[int | None, typer.Option(help="Processes; -1: one for each core. Default: 1.")]
StoreFile = Annotated[
    Path | None,
    typer.Option(help="SQLite file that repeated searches are kept in; the same command goes on from it."),
]
Seed = Annotated[int, typer.Option(help="Seed of everything random, the solver's too if it takes one.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress.")]
Verbose = Annotated[
    bool, typer.Option("--verbose", help="Say at the end where the time went, and the most memory used.")
]
Groups = Annotated[
    str | None,
    typer.Option(help="Column that says which rows belong together, as those of a patient; no feature then."),
]
Weights = Annotated[
    str | None, typer.Option(help="Column that says how often each row counts; no feature then.")
]
Alpha = Annotated[float, typer.Option(help="Level of each test of independence.")]
Level = Annotated[float, typer.Option(help="Level of each test of equivalence.")]
IndependenceOption = Annotated[
    IndependenceName,
    typer.Option(
        help="The test; auto: by the kinds of columns, for ppfs the predictive one. spearman: with features "
        "given, only where ranks are related linearly; else kernel or predictive."
    ),
]
TimeLimit = Annotated[float | None, typer.Option(help="Seconds for the whole command.")]
Holdout = Annotated[
    float,
    typer.Option(help="Share of the rows that are kept apart, to judge by, also by later commands; 0: none."),
]
HoldoutData = Annotated[Path | None, typer.Option(help="Hold-out rows, to score the sets on.")]
Bins = Annotated[int | None, typer.Option(help="Cut numbers into so many bins first.")]
DropMissing = Annotated[bool, typer.Option("--drop-missing", help="Drop rows with missing values.")]
DataFile = Annotated[
    Path, typer.Argument(help="CSV (also compressed), Parquet, .xlsx or .ods file with a header.")
]
SearchedFile = Annotated[
    Path,
    typer.Argument(
        help="CSV (also compressed), Parquet, .xlsx or .ods file, or a folder or pattern of CSV or Parquet "
        "files: see --scan."
    ),
]
SolutionsFile = Annotated[Path, typer.Argument(help="Solutions as JSON, from any search with --format json.")]
RulesFile = Annotated[
    Path | None, typer.Option(help='TOML file of rules of your domain, such as forbid = ["age"].')
]
Target = Annotated[str, typer.Option(help="Name of the target column.")]
Search = Annotated[SearchName, typer.Option(help="How sets are searched.")]
Alternatives = Annotated[
    int | None,
    typer.Option(
        help="Sets wanted besides the best one. Default: none; 5 with --tau, --penalty, --average or "
        "another search."
    ),
]
ALTERNATIVES = 5
"""Sets besides the best one, where alternatives are wanted and nobody says how many."""
OnAverage = Annotated[bool, typer.Option("--average", help="Sets need differ on average only.")]
Penalty = Annotated[
    float | None, typer.Option(parser=penalty_of, help="Allow similar sets, at this penalty (a number).")
]
DissimilarityOption = Annotated[DissimilarityName, typer.Option(help="How dissimilarity is measured.")]
FeatureFile = Annotated[
    Path | None,
    typer.Option(help="TOML file: a weight, or group, of each feature."),
]
Alike = Annotated[
    float | None,
    typer.Option(help="Features correlated by so much count as the same, with dice and jaccard."),
]


StartFile = Annotated[
    Path | None,
    typer.Option(help="Solutions as JSON, of an earlier search: good sets to begin with."),
]


@dataclass(frozen=True)
class TableOptions:
    """A table and its target."""

    data: SearchedFile
    target: Target


@dataclass(frozen=True)
class FoundOptions:
    """Solutions in a file, and the table they are looked at with."""

    solutions: SolutionsFile
    data: DataFile
    target: Annotated[str | None, typer.Option(help="Target column; default: that of the solutions.")] = None
    other_data: Annotated[bool, typer.Option("--other-data", help="Use other data than the search did.")] = (
        False
    )


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
    dissimilarity: DissimilarityOption = DissimilarityName.DICE
    feature_file: FeatureFile = None
    alike: Alike = None
    measure: Annotated[
        MeasureName | None,
        typer.Option(
            help="Dependence of features on the target and each other; association: of columns of any kinds, "
            "many levels gain nothing. Default: symmetric-uncertainty for fcbf, else "
            "association; linear-fit takes none."
        ),
    ] = None
    objective: Annotated[
        ObjectiveName,
        typer.Option(
            help="What makes a set good; mrmr-k2: mRMR as printed, with the diagonal; linear-fit: "
            "R2 of least squares; linear-fit-bic and such: less a price, for free sizes."
        ),
    ] = ObjectiveName.UNIVARIATE
    ridge: Ridge = 0.0
    weights: FitWeights = None
    given: Given = None
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
        fit = catalogue.FitOptions(self.ridge, self.weights, self.given or ())
        make = catalogue.objective_factory(self.objective, self.measure, self.seed, normalize, fit)
        name = self.measure or catalogue.default_measure(self.objective)
        by = None if name in catalogue.SLOW_MEASURES else catalogue.measure(name, self.seed)
        sizes = None if self.k is None else catalogue.sizes(self.k)
        return ProblemFactory(make, by, sizes, read_rules(self.rules))


@dataclass(frozen=True)
class SolverOptions:
    """A solver, and its settings."""

    solver: SolverText = "auto"
    threads: Threads = None
    option: OwnOption = None

    def made(self, seed: int, file: Path | None = None, trusted: bool = True) -> Solver:
        """Make the solver; the seed is its own, too, if it takes one. See `solver_of` for what is trusted."""
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


@dataclass(frozen=True)
class BlanketOptions:
    """A test of independence, and what a search for blankets may use."""

    test: IndependenceOption = IndependenceName.AUTO
    alpha: Alpha = 0.01
    bins: Bins = None
    include: Annotated[list[str] | None, typer.Option(help="Feature that is in; repeat for more.")] = None
    exclude: Annotated[list[str] | None, typer.Option(help="Feature that is out; repeat for more.")] = None
    max_tests: Annotated[int | None, typer.Option(help="Most tests.")] = None
    groups: Groups = None
    weights: Weights = None
    time_limit: TimeLimit = None
    seed: Seed = 0
    correct: Annotated[
        bool,
        typer.Option("--correct", help="Correct p for the number of candidates (Benjamini-Hochberg)."),
    ] = False

    @property
    def rows(self) -> dict[str, str]:
        """Columns that say which rows belong together and how often they count, by what they say."""
        return rows_options(self.groups, self.weights)

    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the features that are in, and out, whatever the tests say."""
        return tuple(self.include or ()), tuple(self.exclude or ())

    def independence(
        self, table: altsel.Dataset, predictive: dict[str, Any]
    ) -> altsel.independence.Independence:
        """Return the test, of a table cut into bins and corrected if that is wanted."""
        return self.of_rows(self.cut(table), predictive)

    def of_rows(
        self, table: altsel.Dataset, predictive: dict[str, Any], **cells: Any
    ) -> altsel.independence.Independence:
        """Return the test of some rows as they are, corrected if that is wanted."""
        test = catalogue.independence_test(self.test, table, self.seed, predictive, self.rows, **cells)
        return altsel.independence.BenjaminiHochberg(test) if self.correct else test

    def cut(self, table: altsel.Dataset | Any) -> altsel.Dataset | Any:
        """Return a table cut into bins, if that is wanted; weights and groups stay as they are."""
        if isinstance(table, Scan):
            return table if self.bins is None else table.with_bins(self.bins)
        return table if self.bins is None else altsel.data.binned(table, self.bins, keep=self.rows.values())


@dataclass(frozen=True)
class PredictiveOptions:
    """What a predictive permutation test does."""

    estimator: Annotated[
        EstimatorName | None, typer.Option(help="Models of --test predictive. Default: tree.")
    ] = None
    division: Annotated[
        Scheme | None,
        typer.Option(help="Divisions of rows; random: printed, with --knockoff shuffle. Default: folds."),
    ] = None
    splits: Annotated[int | None, typer.Option(help="How many divisions of rows. Default: 10.")] = None
    knockoff: Annotated[
        KnockoffName | None, typer.Option(help="How a feature is replaced. Default: conditional.")
    ] = None
    shuffles: Annotated[int | None, typer.Option(help="Draws a row. Default: 5, random divisions 1.")] = None
    flips: Annotated[
        int | None, typer.Option(help="Flips of signs; the smallest p is 1 / (these + 1). Default: 999.")
    ] = None
    loss: Annotated[str | None, typer.Option(help="Loss by name, such as zero-one or poisson-deviance.")] = (
        None
    )
    jobs: Jobs = None

    def given(self, test: IndependenceName, seed: int) -> dict[str, Any]:
        """Return the options that were given, as the test takes them; workers are for the whole search.

        Raises
        ------
        ArgumentError
            If any was, but the test is another one.
        """
        given = {name: value for name, value in vars(self).items() if value is not None and name != "jobs"}
        if given and test is not IndependenceName.PREDICTIVE:
            names = listing(f"--{name}" for name in given)
            raise ArgumentError(f"{names}: for --test predictive, not for --test {test}")
        if "estimator" in given:
            given["estimator"] = catalogue.estimator(given["estimator"], seed)
        arguments = {"flips": "permutations", "division": "scheme"}
        return {arguments.get(name, name): value for name, value in given.items()}


@dataclass(frozen=True)
class ResultOptions:
    """The form of a result, where it goes, and whether progress is shown."""

    format: Annotated[
        Format | None,
        typer.Option(help="Form of the result; default: by the ending of --output, else a table."),
    ] = None
    output: Annotated[Path | None, typer.Option(help="Write the result to this file.")] = None
    quiet: Quiet = False
    verbose: Verbose = False

    @property
    def told(self) -> str | None:
        """What `deliver` says after a file is written, of results that no command takes next."""
        return None if self.quiet else ""

    def then(self, command: str, data: Path) -> str | None:
        """Return the command that may come next, for `deliver`: it takes the file, if that is JSON."""
        if self.quiet:
            return None
        is_json = self.form() is Format.JSON
        return f"{command} {shlex.quote(str(data))}" if is_json else ""

    def form(self, *inputs: Path | None) -> Format:
        """Choose the form, and refuse a file that cannot be written or that the command reads."""
        return form_for(self.format, self.output, *inputs)


def rows_options(groups: str | None, weights: str | None) -> dict[str, str]:
    """Return the columns that were named, by what they say."""
    named = {"groups": groups, "weights": weights}
    return {what: name for what, name in named.items() if name is not None}


def seconds_left(clock: Clock) -> float | None:
    """Return the seconds a command has left for its search; None for any number."""
    return clock.left if clock.left < float("inf") else None
