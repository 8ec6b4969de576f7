"""``altsel audit``: whether what a file of solutions claims is true."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

import altsel
from altsel.audit import Audit
from altsel.clock import OutOfTimeError, limited
from altsel.console import progress
from altsel.errors import DataError
from altsel.options import Quiet, TimeLimit
from altsel.recorded import options_of, problem_of, table_of
from altsel.solutions_file import read_solutions
from altsel.verification import Check

BY_OPTIMISATION = {"select", "near-optimal"}


def audit(
    ctx: typer.Context,
    solutions: Annotated[Path, typer.Argument(help="JSON that a command wrote.")],
    data: Annotated[Path, typer.Argument(help="The table it was found in.")],
    *,
    prove: Annotated[
        str | None, typer.Option(help="Prove optimality again by this profile of solvers.toml, such as scip.")
    ] = None,
    time_limit: TimeLimit = None,
    quiet: Quiet = False,
) -> None:
    """Check what a file of solutions claims, without trusting how it was found.

    Exit code 0: confirmed; 3: refuted, with the claim and by what; 4: not settled within the limit.

    Example: altsel audit found.json examples/data/ionosphere.csv.gz --prove scip
    """
    with progress(quiet), limited(time_limit):
        try:
            told = _told(ctx, solutions, data, prove)
        except OutOfTimeError:
            told = Audit((Check("everything looked at", None, "time was up"),))
    typer.echo(str(told))
    raise typer.Exit({"confirmed": 0, "refuted": 3}.get(told.verdict, 4))


def _told(context: typer.Context, file: Path, data: Path, prove: str | None) -> Audit:
    plain = _plain(file)
    if "points" in plain:
        return _again(context, plain, plain.get("request", {}), data)
    found = read_solutions(file)
    name = found.request.get("command", {}).get("name") if found.request else None
    options_of(found.request)
    if name not in BY_OPTIMISATION:
        return _again(context, plain, found.request, data)
    problem, table = problem_of(found.request, data)
    same = _same_data(found.request, table)
    told = altsel.audit(found, problem, prove=prove if same.holds else None)
    return Audit((same, *told.checks))


def _plain(file: Path) -> dict[str, Any]:
    try:
        plain = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise DataError(f"cannot read {file}: {fault}") from fault
    return plain if isinstance(plain, dict) else {}


def _same_data(request: Mapping[str, Any], table: altsel.Dataset) -> Check:
    same = request.get("data") == table.fingerprint
    return Check("the table is the one of the search", same, "" if same else "its fingerprint is another")


def _again(context: typer.Context, plain: Mapping[str, Any], request: Mapping[str, Any], data: Path) -> Audit:
    """Run the command again, and compare: for results of tests, rankings and fronts."""
    given = options_of(request)
    same = _same_data(request, table_of(request, data))
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "again.json"
        arguments = [str(data), "--format", "json", "--output", str(output), "--quiet"]
        name = request["command"]["name"]
        command = _command(context, name)
        command.main([*arguments, *_arguments(command, given)], prog_name=name, standalone_mode=False)
        again = _plain(output)
    checks = [same]
    for key in ("points", "sets", "stop"):
        if key in plain or key in again:
            good = _comparable(plain.get(key)) == _comparable(again.get(key))
            checks.append(Check(f"{key} come out again", good, "" if good else "they differ"))
    return Audit(tuple(checks))


def _command(context: typer.Context, name: str) -> Any:
    commands: dict[str, Any] = context.find_root().command.commands  # type: ignore[attr-defined]
    if name not in commands:
        raise DataError(f"the file names a command {name!r} that there is not")
    return commands[name]


def _arguments(command: Any, given: Mapping[str, Any]) -> list[str]:
    """Write options as they are given on the command line."""
    arguments: list[str] = []
    for parameter in command.params:
        value = given.get(str(parameter.name))
        if value is None:
            continue
        if isinstance(value, bool):
            arguments += [parameter.opts[0] if value else (parameter.secondary_opts or parameter.opts)[0]]
        else:
            for one in value if isinstance(value, list) else [value]:
                arguments += [parameter.opts[0], str(one)]
    return arguments


def _comparable(value: Any) -> Any:
    """Leave out what differs from run to run: seconds."""
    if isinstance(value, dict):
        return {key: _comparable(one) for key, one in value.items() if key != "seconds"}
    return [_comparable(one) for one in value] if isinstance(value, list) else value
