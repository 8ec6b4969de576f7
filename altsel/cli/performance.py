"""``altsel performance``: how well models predict by the sets of a search."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

import altsel
from altsel import catalogue
from altsel.analysis.family_models import fits_families
from altsel.catalogue import EstimatorName
from altsel.cli.closing import performance_closing
from altsel.cli.groups import grouped
from altsel.cli.kept_reading import options_of
from altsel.cli.messages import note, progress
from altsel.cli.options import FoundOptions, HoldoutData, Jobs, ResultOptions, Seed, StoreFile
from altsel.cli.output import Forms, check_output, deliver, laid_out
from altsel.cli.reading_options import ReadingOptions, holdout
from altsel.cli.repeated import RepeatedSearch
from altsel.cli.solutions_file import groups_of, read_solutions, rows_of
from altsel.display.picture import PLOTS
from altsel.errors import ArgumentError, listing
from altsel.runtime.files import check_picture


@grouped
def performance(
    source: FoundOptions,
    *,
    estimator: Annotated[
        EstimatorName | None,
        typer.Option(
            help="Models that predict. Default: those of the search if it fitted models of classes, counts "
            "or times, else linear: ridge or logistic regression."
        ),
    ] = None,
    scoring: Annotated[
        str | None,
        typer.Option(
            help="A scorer of scikit-learn, as roc_auc. Default: accuracy, r2, or deviance explained."
        ),
    ] = None,
    cv: Annotated[
        int | None, typer.Option(help="Folds. Default: 10, or none where rows were kept apart.")
    ] = None,
    holdout_data: HoldoutData = None,
    groups: Annotated[
        str | None,
        typer.Option(help="Column of rows that belong together: in one fold. Default: that of the search."),
    ] = None,
    nested: Annotated[bool, typer.Option("--nested", help="Repeat the search in every fold.")] = False,
    permutations: Annotated[int, typer.Option(help="Repeat the search with so many permuted targets.")] = 0,
    jobs: Jobs = None,
    store: StoreFile = None,
    seed: Seed = 0,
    plot: Annotated[Path | None, typer.Option(help="Draw it to this file, .png, .svg or .pdf.")] = None,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Score models by every set on the same folds or other rows, beside all features and chance.

    Other rows are those that the search kept apart (--holdout), or a file (--holdout-data): models are fitted
    to the data and judged there, and a forest's ten most important features with them. --nested and
    --permutations repeat the command that wrote the file, in folds of the data.

    Example: altsel performance found.json examples/data/ionosphere.csv.gz --estimator forest --nested
    """
    form = result.form(source.solutions, source.data, holdout_data)
    in_folds = nested or permutations > 0 or cv is not None
    if holdout_data is not None and in_folds:
        raise ArgumentError("--holdout-data names rows to judge: leave out --cv, --nested and --permutations")
    check_output(store, "--store", source.solutions, source.data, result.output)
    if plot is not None:
        check_output(plot, "--plot", source.solutions, source.data, result.output)
        check_picture(plot, PLOTS, "matplotlib", "plot")
    found = read_solutions(source.solutions, repeated=True)
    search = RepeatedSearch(found.request) if nested or permutations else None
    own = estimator is None and fits_families(found)
    if not own:
        _note_what_models_lack(found)
    with progress(result.quiet):
        table, held = rows_of(found, source, reading, "they are not used" if in_folds else "they are judged")
        if holdout_data is not None and held is not None:
            raise ArgumentError("--holdout-data: the search kept rows apart, which are judged; leave it out")
        if holdout_data is not None:
            before = reading.or_as(options_of(found.request))
            held = holdout(table, holdout_data, before.way)
        judged = None if in_folds else held
        together = None if judged is not None else groups or options_of(found.request).get("groups")
        scored = altsel.performance(
            found,
            table,
            None if own else catalogue.predictor(estimator or EstimatorName.LINEAR, table, seed),
            scoring=scoring,
            cv=10 if cv is None else cv,
            groups=None if together is None else groups_of(str(together), table, Path(source.data)),
            search=search,
            nested=nested,
            permutations=permutations,
            random_state=seed,
            n_jobs=jobs,
            store=store,
            other_data=source.other_data,
            holdout=judged,
        )
        scored = replace(scored, request=found.request)
    Forms(lambda: str(scored), scored.to_frame, scored.to_json).deliver(form, result.output, result.told)
    if result.readable:
        deliver(laid_out(lambda: f"{performance_closing(scored, source)}\n"), None)
    if plot is not None:
        scored.draw(plot)


def _note_what_models_lack(found: altsel.Solutions) -> None:
    """Say which options of a search by fits are nothing to the models that judge its sets."""
    before = options_of(found.request)
    lacking = [f"--{name}" for name in ("given", "weights", "offset", "event") if before.get(name)]
    if lacking and catalogue.OBJECTIVES.own.keys() >= {before.get("objective")}:
        note(f"the search was told {listing(lacking)}, which the models that judge do without")
