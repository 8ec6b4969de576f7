"""Options of tests of independence and of searches that ask them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import typer

import altsel
from altsel import catalogue
from altsel.catalogue import EstimatorName, KnockoffName
from altsel.catalogue.independence import PREDICTIVE
from altsel.cli.entry_names import words_option
from altsel.cli.options import (
    Alpha,
    Bins,
    EventOfTest,
    Groups,
    IndependenceOption,
    Jobs,
    Seed,
    TimeLimit,
    Weights,
)
from altsel.data.scanning import Scan
from altsel.errors import ArgumentError, listing
from altsel.stats.independence.predictive.printed import Scheme


@dataclass(frozen=True)
class BlanketOptions:
    """A test of independence, and what a search for blankets may use."""

    test: IndependenceOption = "auto"
    alpha: Alpha = 0.01
    bins: Bins = None
    include: Annotated[list[str] | None, typer.Option(help="Feature that is in; repeat for more.")] = None
    exclude: Annotated[list[str] | None, typer.Option(help="Feature that is out; repeat for more.")] = None
    max_tests: Annotated[int | None, typer.Option(help="Most tests.")] = None
    groups: Groups = None
    weights: Weights = None
    event: EventOfTest = None
    time_limit: TimeLimit = None
    seed: Seed = 0
    correct: Annotated[
        bool,
        typer.Option("--correct", help="Correct p for the number of candidates (Benjamini-Hochberg)."),
    ] = False

    @property
    def rows(self) -> dict[str, str]:
        """Columns that say something of rows, and are no features, by what they say."""
        return rows_options(vars(self))

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
        """Return a table cut into bins, if that is wanted; what says something of rows stays as it is."""
        if isinstance(table, Scan):
            return table if self.bins is None else table.with_bins(self.bins)
        return table if self.bins is None else altsel.data.binned(table, self.bins, keep=self.rows.values())


@dataclass(frozen=True)
class PredictiveOptions:
    """What a predictive permutation test does."""

    estimator: Annotated[
        str | None,
        words_option(
            EstimatorName,
            text="Models of --test predictive: a name, or your own as module:object, such as "
            "sklearn.svm:SVC. Default: tree.",
        ),
    ] = None
    division: Annotated[
        Scheme | None,
        typer.Option(help="Divisions of rows. Default: folds; random, as printed, until 2.0."),
    ] = None
    splits: Annotated[int | None, typer.Option(help="How many divisions of rows. Default: 10.")] = None
    knockoff: Annotated[
        KnockoffName | None,
        typer.Option(help="How a feature is replaced. Default: conditional; shuffle until 2.0."),
    ] = None
    shuffles: Annotated[int | None, typer.Option(help="Draws a row. Default: 5, random divisions 1.")] = None
    flips: Annotated[
        int | None, typer.Option(help="Flips of signs; the smallest p is 1 / (these + 1). Default: 999.")
    ] = None
    loss: Annotated[str | None, typer.Option(help="Loss by name, such as zero-one or poisson-deviance.")] = (
        None
    )
    jobs: Jobs = None

    def given(self, test: str, seed: int) -> dict[str, Any]:
        """Return the options that were given, as the test takes them; workers are for the whole search.

        Raises
        ------
        ArgumentError
            If any was, but the test is another one.
        """
        given = {name: value for name, value in vars(self).items() if value is not None and name != "jobs"}
        if given and test != PREDICTIVE:
            names = listing(f"--{name}" for name in given)
            raise ArgumentError(f"{names}: for --test predictive, not for --test {test}")
        if "estimator" in given:
            given["estimator"] = catalogue.estimator(given["estimator"], seed)
        arguments = {"flips": "permutations", "division": "scheme"}
        return {arguments.get(name, name): value for name, value in given.items()}


ROWS = ("groups", "weights", "event")
"""Options that name a column which says something of rows, and is no feature."""


def rows_options(given: Mapping[str, Any]) -> dict[str, str]:
    """Return the columns that were named, by what they say of rows."""
    return {what: given[what] for what in ROWS if given.get(what) is not None}
