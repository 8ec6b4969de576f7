"""Which command found solutions: kept in their file, so that the file alone says what is to be checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import typer

import altsel
from altsel import catalogue
from altsel.cli.costs_file import read_costs
from altsel.cli.grouping_options import SearchedRows
from altsel.cli.kept_apart import parted_as
from altsel.cli.kept_reading import options_of
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.rules_file import Rules, made_rules, rules_text
from altsel.cli.scanned import SCAN_BINS, scan_of
from altsel.cli.told_notes import told
from altsel.data.scanning import Scan
from altsel.errors import AltselError, DataError
from altsel.models.rule import Across, Rule
from altsel.results.solutions import Solutions

EDITION = 2
"""Which names and defaults the options of a command have: files of version 1.0 do not say."""
BY_OPTIMISATION = ("select", "near-optimal")
"""Commands whose answers are those of a problem, and may have a certificate."""
LEFT_OUT = {"data", "output", "format", "quiet", "verbose", "plot", "rules", "holdout_data", "jobs"}
LEFT_OUT |= {"certificate", "explain_defaults", "start", "feature_file", "table", "best"}
"""Parameters that say where things are and who works, not what was requested."""


def recorded(
    found: Solutions, context: typer.Context, rows: SearchedRows, chosen: Mapping[str, Any] | None = None
) -> Solutions:
    """Add the command under way, with what was chosen for it, its data, and which rows it kept apart."""
    command = command_of(context, rows.table, chosen)
    return replace(found, request={**found.request, **command, **rows.request})


def command_of(
    context: typer.Context, data: altsel.Dataset, chosen: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Write a command under way as plain data: name, options given or chosen, fingerprint of the data."""
    given = {name: _plain(value) for name, value in _told(context).items() if name not in LEFT_OUT}
    if context.params.get("table") is not None:
        names = {field.name for field in fields(ReadingOptions)}
        given |= ReadingOptions(
            **{name: one for name, one in _told(context).items() if name in names}
        ).given()
    given |= chosen or {}
    if isinstance(data, Scan):  # whatever memory there is when it is checked
        given |= {"scan": True, "scan_bins": data.bins}
    command: dict[str, Any] = {"name": context.info_name, "options": given, "edition": EDITION}
    if told():
        command["notes"] = told()
    rules = context.params.get("rules")
    if rules is not None:
        command["rules"] = rules_text(rules, data)
    if context.params.get("best") is not None:
        command["costs"] = read_costs(context.params["best"])
    return {"command": command, "data": data.fingerprint}


def _told(context: typer.Context) -> dict[str, Any]:
    """Return the parameters that were given on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    told = {name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"}
    return {name: value for name, value in context.params.items() if name in told}


def problem_of(request: Mapping[str, Any], table: altsel.Dataset) -> altsel.Problem:
    """Build the problem of a command, on its table.

    Raises
    ------
    DataError
        If the request does not say what was requested, or only the code of a rule would.
    """
    try:
        return problem_on(request, table)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as fault:
        if isinstance(fault, AltselError):
            raise
        raise DataError(f"what the file says was requested makes no sense: {fault}") from fault


def problem_on(request: Mapping[str, Any], table: altsel.Dataset) -> altsel.Problem:
    """Build the problem of a command of some rows."""
    _, given = command_in(request)
    name, named = given.get("objective", "univariate"), given.get("measure") or None
    for known, wanted in ((catalogue.OBJECTIVES, name), (catalogue.MEASURES, named)):
        if wanted is not None and wanted not in known:
            raise DataError(
                f"the {known.kind} {wanted!r} of the search in the file is not known here; install the "
                "package that adds it"
            )
    make = catalogue.objective_factory(
        name,
        named if request["command"].get("edition") else _of_first_edition(name, named),
        int(given.get("seed", 0)),
        bool(given.get("normalize", False)),
        catalogue.FitOptions.of(given),
    )
    rules = rules_of(request)
    return altsel.Problem(make(table), catalogue.sizes(given["k"]), rules.subject_to, rules.across)


def _of_first_edition(objective: str, named: str | None) -> str | None:
    """Return what a measure was in version 1.0: nothing was taken off it, and the default was information."""
    if catalogue.of_data(objective):
        return named
    if named is None:
        by_uncertainty = objective in {"fcbf", "cfs", "cfs-linearised"}
        return "symmetric-uncertainty-plain" if by_uncertainty else "mutual-information-plain"
    plain = f"{named}-plain"
    return plain if plain in catalogue.MEASURES.own else named


def command_in(request: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return name and options of the command that found solutions.

    Raises
    ------
    DataError
        If the request does not say.
    """
    command = request.get("command") if isinstance(request, Mapping) else None
    name = command.get("name") if isinstance(command, Mapping) else None
    given = options_of(request) if isinstance(name, str) else {}
    if not isinstance(name, str) or "target" not in given:
        raise DataError(
            "the file does not say which command found it: write it by 'altsel select --format json', or "
            "audit it from Python, altsel.audit(solutions, problem, diversity)"
        )
    return name, given


def table_of(request: Mapping[str, Any], data: Path) -> altsel.Dataset | Any:
    """Read the table, or scan it, as the command did, without the rows that it kept apart."""
    _, given = command_in(request)
    reading = ReadingOptions.of(given)
    if given.get("scan"):
        bins = given.get("scan_bins", SCAN_BINS)
        return scan_of(data, given["target"], reading, bins, "as when it was searched")
    if catalogue.several(reading.way):
        return reading.several(data, given["target"])
    return parted_as(request, reading.dataset(data, given["target"]))[0]


def rules_of(request: Mapping[str, Any]) -> Rules:
    """Build the rules that were kept."""
    subject_to: list[Rule] = []
    across: list[Across] = []
    for plain in [*request.get("rules", ()), *request.get("across", ())]:
        if "function" in plain:
            raise DataError(
                f"the rule {plain['function']!r} is a function: audit these solutions from Python"
            )
        rules = made_rules(plain, "rules in the file")
        subject_to += rules.subject_to
        across += rules.across
    return Rules(subject_to, across)


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value if isinstance(value, (bool, int, float)) or value is None else str(value)
