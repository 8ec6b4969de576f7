"""Names of the command line, and what they stand for."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from math import inf
from pathlib import Path
from typing import Annotated, Any

import typer

import altsel
from altsel.cli.reading_options import as_asked
from altsel.errors import ArgumentError, listing
from altsel.models import Dissimilarity
from altsel.runtime.clock import Clock
from altsel.stats.dependence import MutualInformation


class MeasureName(StrEnum):
    """Measures of dependence."""

    MI = "mutual-information"
    SU = "symmetric-uncertainty"
    PEARSON = "absolute-pearson"
    SPEARMAN = "absolute-spearman"
    IMPORTANCES = "importances"
    PERMUTATION = "permutation-importance"
    RELIEF = "relief"


class ChosenTest(StrEnum):
    """Tests of independence."""

    AUTO = "auto"
    G2 = "g2"
    CHI2 = "chi2"
    CORRELATION = "partial-correlation"
    SPEARMAN = "spearman"
    RATIO = "likelihood-ratio"
    POISSON = "poisson"
    KERNEL = "kernel"


class ObjectiveName(StrEnum):
    """Criteria, and their variants."""

    UNIVARIATE = "univariate"
    FCBF = "fcbf"
    MRMR = "mrmr"
    MRMR_PAIRS = "mrmr-pairs"
    CFS = "cfs"
    CFS_LINEARISED = "cfs-linearised"


class Distance(StrEnum):
    """Dissimilarities."""

    DICE = "dice"
    JACCARD = "jaccard"


class Total(StrEnum):
    """Totals of a simultaneous search."""

    SUM = "sum"
    MIN = "min"


Data = Annotated[Path, typer.Argument(help="CSV (also compressed) or Parquet file with a header.")]
Target = Annotated[str, typer.Option(help="Name of the target column.")]
Size = Annotated[str, typer.Option("-k", help="Features in a set: 5, or 3:5 for three to five.")]
Tau = Annotated[float, typer.Option(help="Smallest dissimilarity: 0 (may repeat) to 1 (no common feature).")]
Apart = Annotated[Distance, typer.Option(help="How dissimilarity is measured.")]
Measured = Annotated[MeasureName, typer.Option(help="Dependence of features on the target and each other.")]
Criterion = Annotated[
    ObjectiveName, typer.Option(help="What makes a set good; mrmr-pairs leaves the diagonal out.")
]
Normalize = Annotated[bool, typer.Option(help="Scale relevances to sum 1.")]
Rules = Annotated[Path | None, typer.Option(help="TOML file of rules of your domain.")]
Within = Annotated[float, typer.Option(help="Share of the best quality that may be lost: 0.05 is 5 %.")]
Summed = Annotated[Total, typer.Option(help="What a simultaneous search maximises.")]
TaskOption = Annotated[altsel.data.Task | None, typer.Option(help="Kind of the target; inferred by default.")]
DropMissing = Annotated[bool, typer.Option(help="Drop rows with missing values.")]
SolverName = Annotated[str, typer.Option(help="auto, or a profile of solvers.toml; see 'altsel solvers'.")]
Seed = Annotated[int, typer.Option(help="Seed of everything random.")]
Quiet = Annotated[bool, typer.Option(help="No progress.")]
TestOption = Annotated[ChosenTest, typer.Option(help="The test; auto: by the kinds of columns.")]
Level = Annotated[float, typer.Option(help="Level of each test.")]
Bins = Annotated[int | None, typer.Option(help="Cut numbers into so many bins first.")]
Include = Annotated[list[str] | None, typer.Option(help="Feature that is in; repeat for more.")]
Exclude = Annotated[list[str] | None, typer.Option(help="Feature that is out; repeat for more.")]
MaxTests = Annotated[int | None, typer.Option(help="Most tests.")]
TimeLimit = Annotated[float | None, typer.Option(help="Seconds for the whole command.")]


def seconds_left(clock: Clock) -> float | None:
    """Return the seconds a command has left for its search; None for any number."""
    return clock.left if clock.left < inf else None


def sizes(text: str) -> int | tuple[int, int]:
    """Read ``5`` or ``3:5``."""
    parts = text.split(":")
    try:
        numbers = [int(part) for part in parts]
    except ValueError as fault:
        raise ArgumentError(f"-k {text!r}; use a whole number, or two as in 3:5") from fault
    if len(numbers) > 2:
        raise ArgumentError(f"-k {text!r}; use a whole number, or two as in 3:5")
    return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])


def apart(name: Distance, tau: float) -> Dissimilarity:
    """Make the dissimilarity of a name."""
    return altsel.Dice(tau) if name is Distance.DICE else altsel.Jaccard(tau)


def diversity(measure: Dissimilarity, average: bool, penalty: float | None) -> Any:
    """Make a dissimilarity one on average, or at a penalty."""
    if average and penalty is not None:
        raise ArgumentError("--average and --penalty exclude each other")
    if penalty is not None:
        return altsel.Penalised(measure, penalty)
    return altsel.Average(measure) if average else measure


def measure(name: MeasureName, seed: int) -> altsel.measures.Measure:
    """Make the measure of a name."""
    if seed < 0:
        raise ArgumentError(f"--seed {seed}; use a number of at least 0")
    measures: dict[MeasureName, altsel.measures.Measure] = {
        MeasureName.MI: MutualInformation(random_state=seed),
        MeasureName.SU: altsel.measures.symmetric_uncertainty,
        MeasureName.PEARSON: altsel.measures.absolute_pearson,
        MeasureName.SPEARMAN: altsel.measures.absolute_spearman,
        MeasureName.IMPORTANCES: altsel.measures.importances(random_state=seed),
        MeasureName.PERMUTATION: altsel.measures.permutation_importance(random_state=seed),
        MeasureName.RELIEF: altsel.measures.Relief(random_state=seed),
    }
    return measures[name]


def objective(name: ObjectiveName, dependence: altsel.Dependence) -> altsel.models.Objective:
    """Make the criterion of a name."""
    criteria: dict[ObjectiveName, Callable[[altsel.Dependence], altsel.models.Objective]] = {
        ObjectiveName.UNIVARIATE: altsel.Univariate,
        ObjectiveName.FCBF: altsel.FCBF,
        ObjectiveName.MRMR: altsel.MRMR,
        ObjectiveName.MRMR_PAIRS: lambda given: altsel.MRMR(given, "k(k-1)"),
        ObjectiveName.CFS: altsel.CFS,
        ObjectiveName.CFS_LINEARISED: lambda given: altsel.CFS(given, "linearised"),
    }
    return criteria[name](dependence)


def objective_factory(
    name: ObjectiveName, measure: altsel.measures.Measure, normalize: bool
) -> Callable[[altsel.Dataset], altsel.models.Objective]:
    """Make what turns a table into the criterion of a name."""

    def make_objective(rows: altsel.Dataset) -> altsel.models.Objective:
        dependence = altsel.dependence(rows, measure)
        return objective(name, dependence.normalized() if normalize else dependence)

    return make_objective


def read_table(data: Path, target: str, task: altsel.data.Task | None, drop_missing: bool) -> altsel.Dataset:
    """Read a table, as the options ask for, and say what a reader of the result should know."""
    asked = as_asked()
    table = altsel.Dataset(
        data,
        target,
        task,
        missing="drop rows" if drop_missing else "error",
        kinds=asked.kinds,
        drop=asked.drop,
        reading=asked.reading,
    )
    if table.dropped:
        typer.echo(f"note: rows dropped for missing values: {table.dropped}", err=True)
    if table.determining:
        told = f"features determine the target {target!r}, as copies of it would; leave them out (--drop)?"
        typer.echo(f"note: {told}: {listing(table.determining)}", err=True)
    if task is None and table.task is altsel.data.Task.MULTICLASS and table.y.dtype != "category":
        classes = f"{table.y.nunique()} classes; --task regression for numbers"
        typer.echo(f"note: target {target!r} read as {classes}", err=True)
    return table


def holdout(table: altsel.Dataset, data: Path, missing: str) -> altsel.Dataset:
    """Read other rows of a table, and say so if they are the same."""
    try:
        held = table.holdout(data, table.target, missing=missing)
    except altsel.DataError as fault:
        raise altsel.DataError(f"{data}: {fault}") from fault
    if held.fingerprint == table.fingerprint:
        told = "holds the rows that the sets are chosen by: hold-out scores say nothing"
        typer.echo(f"note: {data} {told}", err=True)
    return held


def independence_test(
    name: ChosenTest, table: altsel.Dataset, seed: int, **cells: Any
) -> altsel.independence.Independence:
    """Make the test of a name; options of cells are for tests of contingency tables."""
    if name is ChosenTest.AUTO:
        usual = altsel.independence.auto(table)
        return (
            altsel.independence.GSquare(table, **cells)
            if isinstance(usual, altsel.independence.GSquare)
            else usual
        )
    tests: dict[ChosenTest, Callable[[], altsel.independence.Independence]] = {
        ChosenTest.G2: lambda: altsel.independence.GSquare(table, **cells),
        ChosenTest.CHI2: lambda: altsel.independence.ChiSquare(table, **cells),
        ChosenTest.CORRELATION: lambda: altsel.independence.PartialCorrelation(table),
        ChosenTest.SPEARMAN: lambda: altsel.independence.PartialCorrelation(table, ranks=True),
        ChosenTest.RATIO: lambda: altsel.independence.LikelihoodRatio(table),
        ChosenTest.POISSON: lambda: altsel.independence.LikelihoodRatio(
            table, family=altsel.independence.Poisson()
        ),
        ChosenTest.KERNEL: lambda: altsel.independence.kernel(table, random_state=seed),
    }
    return tests[name]()
