"""Options that several commands share, in groups; see `altsel.cli.groups`."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from altsel.catalogue import DISSIMILARITIES, OBJECTIVES, TESTS, SearchName, Total
from altsel.cli.entry_names import entry_option
from altsel.cli.output import Format, form_for
from altsel.data.cleaning import MissingName
from altsel.runtime.clock import Clock


def penalty_of(text: str) -> float:
    """Read the penalty of similar sets; point to the criterion where a price of features is meant."""
    try:
        return float(text)
    except ValueError as fault:
        priced = f"linear-fit-{text.lower()}"
        hint = f"; its price is --objective {priced}" if priced in OBJECTIVES.own else ""
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
    float | None,
    typer.Option(
        help="Ridge penalty of fits: linear-fit, columns of length 1, default 0; logistic-fit and such, "
        "columns of variance 1, default 1."
    ),
]
FitWeights = Annotated[str | None, typer.Option(help="Column of row weights of fits; no feature then.")]
Given = Annotated[
    list[str] | None,
    typer.Option(help="Column that is in every model of fits, besides the k; repeat for more."),
]
Offset = Annotated[
    str | None,
    typer.Option(help="Column added to the predictor of logistic-fit and such, as log exposure."),
]
Event = Annotated[
    str | None,
    typer.Option(help="Column that says whether the event was seen, for cox-fit."),
]
Expand = Annotated[
    str | None, typer.Option(help="spline: numbers as natural cubic splines, in logistic-fit and such.")
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
EventOfTest = Annotated[
    str | None,
    typer.Option(
        help="Column that says whether the event was seen, the target being its time, for --test auto, cox "
        "or predictive; no feature then."
    ),
]
Alpha = Annotated[float, typer.Option(help="Level of each test of independence.")]
Level = Annotated[float, typer.Option(help="Level of each test of equivalence.")]
IndependenceOption = Annotated[
    str,
    entry_option(
        TESTS,
        text="The test; auto: by the kinds of columns, for ppfs the predictive one. spearman: with features "
        "given, only where ranks are related linearly; else kernel or predictive. robust-score and cox take "
        "--groups. Your own: module:function, of (x, y, given) and returning p, or of the data.",
    ),
]
TimeLimit = Annotated[float | None, typer.Option(help="Seconds for the whole command.")]
Holdout = Annotated[
    float,
    typer.Option(help="Share of the rows that are kept apart, to judge by, also by later commands; 0: none."),
]
HoldoutData = Annotated[Path | None, typer.Option(help="Hold-out rows, to score the sets on.")]
Bins = Annotated[int | None, typer.Option(help="Cut numbers into so many bins first.")]
DropMissing = Annotated[
    bool, typer.Option("--drop-missing", help="Drop rows with missing values: --missing drop-rows.")
]
Missing = Annotated[
    MissingName | None,
    typer.Option(
        help="Missing values: category, a level of their own, numbers cut into five bins beside it; "
        "complete-rows, each test or relevance on the rows that have what it needs (missing completely at "
        "random); impute, 20 tables, pooled (missing at random). Default: error.",
    ),
]
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
    Path | None,
    typer.Option(
        help='TOML file of rules of your domain, such as forbid = ["age"] or '
        "budget = [{limit = 5, cost = {age = 2.5}, other = 0}]; all keys: guide, "
        '"How do I add my own constraints?".'
    ),
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
OnAverage = Annotated[bool, typer.Option("--average", help="Sets need differ on average only.")]
Penalty = Annotated[
    float | None, typer.Option(parser=penalty_of, help="Allow similar sets, at this penalty (a number).")
]
DissimilarityOption = Annotated[str, entry_option(DISSIMILARITIES, text="How dissimilarity is measured.")]
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


CertificateFile = Annotated[
    Path | None,
    typer.Option(
        "--certificate",
        help="Write a proof of all claims to this file, such as found.proof.json.gz, which a program without "
        "altsel checks.",
    ),
]


@dataclass(frozen=True)
class ResultOptions:
    """The form of a result, where it goes, and whether progress is shown."""

    format: Annotated[
        Format | None,
        typer.Option(help="Form of the result; default: by the ending of --output, else a table."),
    ] = None
    output: Annotated[
        Path | None,
        typer.Option(help="Write the result to this file; the table is shown too, unless --quiet."),
    ] = None
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

    @property
    def beside(self) -> bool:
        """Whether a table is shown beside the file."""
        return self.output is not None and not self.quiet

    @property
    def readable(self) -> bool:
        """Whether what is shown is for a reader: a table, and sentences below it."""
        return self.beside if self.output is not None else (self.format or Format.TABLE) is Format.TABLE

    def form(self, *inputs: Path | None) -> Format:
        """Choose the form, and refuse a file that cannot be written or that the command reads."""
        return form_for(self.format, self.output, *inputs)


def seconds_left(clock: Clock) -> float | None:
    """Return the seconds a command has left for its search; None for any number."""
    return clock.left if clock.left < float("inf") else None
